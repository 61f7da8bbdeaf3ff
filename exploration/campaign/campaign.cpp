// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign.h"

#include <algorithm>
#include <set>

#include "base/digest.h"
#include "base/errors.h"
#include "exploration/campaign/campaign_keys.h"
#include "exploration/sweeps/map_reader.h"
#include "protocols/recovery/registry.h"
#include "testbench/configuration/source_text.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

/// The keys of a campaign file that are those of a sweep file.
constexpr const char* kSweepKeys[] = {"base", "axes", "slurm", "timeout_seconds", "allow_deadlock"};

class CampaignReader {
 public:
  CampaignReader(const DocumentNode& root, const std::string& name)
      : root_(root), errors_(name), map_(root, "", campaign_keys(), errors_) {
    errors_.throw_if_any();
    campaign_.name = name;
  }

  Campaign read(const BaseReader& read_file) {
    constexpr std::int64_t kMostHits = 1'000'000'000, kMostRuns = 1'000'000, kMostSeed = 1'000'000'000;
    read_number("hits", campaign_.hits, {1, kMostHits}, "hits");
    read_number("runs", campaign_.runs, {1, kMostRuns}, "runs");
    read_number("first_seed", campaign_.first_seed, {1, kMostSeed}, "");
    constexpr double kLeast = 0.5, kMost = 0.999999;
    if (const DocumentNode* node = map_.get("confidence"))
      map_.report(*node, "confidence", read_value(*node, campaign_.confidence, {kLeast, kMost}, ""));
    campaign_.protocols = read_protocols();
    campaign_.durations = read_wanted("durations", kFaultDurations, "transient or permanent");
    campaign_.overlaps = read_wanted("overlaps", kOverlaps, "one, at-once or in-sequence");
    read_earlier(read_file);
    for (const char* key : kSweepKeys) map_.get(key);
    map_.finish();
    errors_.throw_if_any();
    // Errors in the parts of a sweep are reported with their places in this file.
    DocumentNode part = root_;
    std::erase_if(part.entries, [](const DocumentEntry& entry) {
      return std::find(std::begin(kSweepKeys), std::end(kSweepKeys), entry.key) == std::end(kSweepKeys);
    });
    const Sweep given = read_sweep(part, "", campaign_.name, "", read_file);
    check_axes(given);
    errors_.throw_if_any();
    campaign_.sweep = parse_sweep(sweep_text(part, campaign_.protocols), campaign_.name, read_file);
    return std::move(campaign_);
  }

 private:
  void read_number(const char* key, std::int64_t& value, Range<std::int64_t> range, const char* unit) {
    if (const DocumentNode* node = map_.get(key))
      map_.report(*node, key, read_value(*node, value, range, unit));
  }

  std::vector<std::string> read_protocols() {
    std::vector<std::string> protocols;
    const DocumentNode* const node = map_.get("protocols");
    if (!node) {
      for (const RecoveryEntry& entry : recovery_protocols().entries()) protocols.emplace_back(entry.name);
      return protocols;
    }
    if (node->kind != DocumentNode::Kind::list || node->items.empty()) {
      map_.report(*node, "protocols", "expected a list of recovery protocols, found " + node->called());
      return protocols;
    }
    for (const DocumentNode& item : node->items) {
      std::string name;
      map_.report(item, "protocols", read_value(item, name));
      try {
        recovery_protocols().at(name);
      } catch (const ConfigurationError& unknown) {
        map_.report(item, "protocols", unknown.what());
      }
      protocols.push_back(std::move(name));
    }
    return protocols;
  }

  /// The strata to fill, by one of their properties.
  template <class Words>
  std::vector<std::string> read_wanted(const char* key, const Words& words, const char* expected) {
    std::vector<std::string> wanted;
    const DocumentNode* const node = map_.get(key);
    if (!node) return wanted;
    if (node->kind != DocumentNode::Kind::list || node->items.empty()) {
      map_.report(*node, key, std::string("expected a list of ") + key + ", found " + node->called());
      return wanted;
    }
    for (const DocumentNode& item : node->items) {
      std::string name;
      map_.report(item, key, read_value(item, name));
      if (std::find(std::begin(words), std::end(words), name) == std::end(words))
        map_.report(item, key, std::string("expected ") + expected + ", found '" + name + "'");
      wanted.push_back(std::move(name));
    }
    return wanted;
  }

  void read_earlier(const BaseReader& read_file) {
    const DocumentNode* const node = map_.get("earlier");
    if (!node) return;
    if (node->kind != DocumentNode::Kind::list) {
      map_.report(*node, "earlier", "expected a list of files, found " + node->called());
      return;
    }
    std::set<std::string> seen;  ///< files and pages
    for (const DocumentNode& item : node->items) {
      std::string file;
      if (const std::string wrong = read_value(item, file); !wrong.empty()) {
        map_.report(item, "earlier", wrong);
      } else if (!seen.insert(file).second) {
        map_.report(item, "earlier",
                    "'" + file + "' is named twice, which would count its hits twice; remove one");
      } else {
        try {
          const std::string page = read_file(file);
          campaign_.earlier.push_back(parse_bounds(page, file));
          if (!seen.insert(page).second)
            map_.report(item, "earlier", "'" + file + "' has the same text as another; remove one");
          earlier_pages_ += page;
        } catch (const ConfigurationError& wrong_file) {
          map_.report(item, "earlier", wrong_file.what());
        }
      }
    }
    check_counted_once(*node);
  }

  void check_axes(const Sweep& given) {
    for (const SweepAxis& axis : given.axes) {
      if (axis.until) errors_.add({}, "axes: a campaign cannot search for saturation; give loads");
      for (std::size_t k = 0; k < axis.keys.size(); ++k) {
        const std::string& key = axis.keys[k];
        if (key == "simulation.seed")
          errors_.add(axis.key_places[k], "axes: a campaign chooses its seeds itself; remove the axis");
        if (key == "recovery" || key == "recovery.protocol")
          errors_.add(axis.key_places[k], "axes: name the protocols with the key protocols");
      }
    }
  }

  /// All runs as the text of a sweep file, which the tasks of a cluster read too.
  std::string sweep_text(const DocumentNode& part, const std::vector<std::string>& protocols) const {
    Json sweep = json_of(part);
    Json axes = Json::array();
    axes.push_back({{"key", "simulation.seed"},
                    {"from", campaign_.first_seed},
                    {"to", campaign_.first_seed + campaign_.runs - 1},
                    {"step", 1}});
    for (const Json& axis : sweep["axes"]) axes.push_back(axis);
    axes.push_back({{"key", "recovery.protocol"}, {"values", protocols}});
    axes.push_back({{"key", "statistics.hits"}, {"values", Json::array({true})}});
    sweep["axes"] = std::move(axes);
    // Combinations with the same random faults would have the same hits; protocols are to be compared.
    sweep["seeds_shared_by"] = Json::array({"recovery.protocol"});
    sweep["keep"] = {{"metrics", Json::array({"messages.*", "contract.*"})}, {"stats", true}};
    constexpr int kIndent = 2;
    // What the earlier campaigns have found decides which runs are chosen, so it is part of what --resume
    // compares.
    return sweep.dump(kIndent) + "\n# earlier campaigns: " + sha256(earlier_pages_) + "\n";
  }

  /// A campaign that another one counts already would count twice.
  void check_counted_once(const DocumentNode& node) {
    const auto base = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
    for (const FoundBounds& whole : campaign_.earlier)
      for (const std::string& part : whole.counts)
        for (const FoundBounds& other : campaign_.earlier)
          if (base(other.name) == base(part))
            map_.report(node, "earlier",
                        "'" + whole.name + "' counts '" + other.name + "' already; remove one");
  }

  const DocumentNode& root_;
  ErrorList errors_;
  MapReader map_;
  Campaign campaign_;
  std::string earlier_pages_;
};

}  // namespace

bool Campaign::wants(const Stratum& stratum) const {
  const auto among = [](const std::vector<std::string>& words, const std::string& word) {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  };
  return among(durations, stratum.duration) && among(overlaps, stratum.overlap);
}

Campaign parse_campaign(const std::string& text, const std::string& name, const BaseReader& read_file) {
  check_source_text(text, name);
  ErrorList errors(name);
  const DocumentNode root = parse_document(text, errors).value_or(DocumentNode{});
  errors.throw_if_any();
  return CampaignReader(root, name).read(read_file);
}

Campaign load_campaign(const std::filesystem::path& path) {
  return parse_campaign(read_source_text(path), path.string(),
                        [&](const std::string& file) { return read_source_text(path.parent_path() / file); });
}

}  // namespace flitmend
