// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.h"
#include "exploration/campaign/sweep_part.h"
#include "exploration/sweeps/file_keys.h"
#include "testbench/configuration/source_text.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

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
    campaign_.protocols = read_protocols(map_);
    campaign_.durations = read_wanted("durations", kFaultDurations, "transient or permanent");
    campaign_.overlaps = read_wanted("overlaps", kOverlaps, "one, at-once or in-sequence");
    read_earlier(read_file);
    map_.finish();
    errors_.throw_if_any();
    // Errors in the parts of a sweep are reported with their places in this file.
    const SweepPart part(root_, campaign_.name);
    check_axes(part.read(read_file));
    errors_.throw_if_any();
    campaign_.sweep = part.read(read_file, own_keys(), own_axes());
    for (const FoundBounds& earlier : campaign_.earlier)
      campaign_.sweep.also_read[earlier.name] = earlier.fingerprint;
    return std::move(campaign_);
  }

 private:
  void read_number(const char* key, std::int64_t& value, Range<std::int64_t> range, const char* unit) {
    if (const DocumentNode* node = map_.get(key))
      map_.report(*node, key, read_value(*node, value, range, unit));
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
    std::set<std::string> seen;  ///< files and fingerprints
    for (const DocumentNode& item : node->items) {
      std::string file;
      if (const std::string wrong = read_value(item, file); !wrong.empty()) {
        map_.report(item, "earlier", wrong);
      } else if (!seen.insert(file).second) {
        map_.report(item, "earlier",
                    "'" + file + "' is named twice, which would count its hits twice; remove one");
      } else {
        try {
          campaign_.earlier.push_back(parse_bounds(read_file(file), file));
          if (!seen.insert(campaign_.earlier.back().fingerprint).second)
            map_.report(item, "earlier", "'" + file + "' has the same results as another; remove one");
        } catch (const ConfigurationError& wrong_file) {
          map_.report(item, "earlier", wrong_file.what());
        }
      }
    }
    check_counted_once(*node);
  }

  void check_axes(const Sweep& given) {
    for (const SweepAxis& axis : given.axes) {
      if (axis.until)
        errors_.add(axis.key_places.front(), "axes: a campaign cannot search for saturation; give loads");
      for (std::size_t k = 0; k < axis.keys.size(); ++k) {
        const std::string& key = axis.keys[k];
        if (key == "simulation.seed")
          errors_.add(axis.key_places[k], "axes: a campaign chooses its seeds itself; remove the axis");
        if (key == "recovery" || key == "recovery.protocol")
          errors_.add(axis.key_places[k], "axes: name the protocols with the key protocols");
      }
    }
  }

  /// The axes that a campaign adds to those of the file.
  AddedAxes own_axes() const {
    const Json seeds = {{"key", "simulation.seed"},
                        {"from", campaign_.first_seed},
                        {"to", campaign_.first_seed + campaign_.runs - 1},
                        {"step", 1}};
    return {.first = Json::array({seeds}),
            .last = Json::array({{{"key", "recovery.protocol"}, {"values", campaign_.protocols}},
                                 {{"key", "statistics.hits"}, {"values", Json::array({true})}}})};
  }

  /// What a campaign adds besides axes.
  static Json own_keys() {
    // Combinations with the same random faults would have the same hits; protocols are to be compared.
    return {{"seeds_shared_by", Json::array({"recovery.protocol"})},
            {"keep", {{"metrics", Json::array({"messages.*", "contract.*"})}, {"stats", true}}}};
  }

  /// A campaign must be counted once, however it comes in.
  void check_counted_once(const DocumentNode& node) {
    std::map<std::string, std::string> counted_by;  // by fingerprint
    for (const FoundBounds& whole : campaign_.earlier)
      for (const CountedCampaign& part : whole.counts) {
        for (const FoundBounds& other : campaign_.earlier)
          if (&other != &whole && part.fingerprint == other.fingerprint)
            map_.report(
                node, "earlier",
                "'" + whole.name + "' counts '" + other.name + "' already; remove '" + other.name + "'");
        const auto [first, once] = counted_by.emplace(part.fingerprint, whole.name);
        if (!once)
          map_.report(node, "earlier",
                      "'" + first->second + "' and '" + whole.name + "' both count '" + part.name +
                          "'; remove one of them");
      }
  }

  const DocumentNode& root_;
  ErrorList errors_;
  MapReader map_;
  Campaign campaign_;
};

}  // namespace

bool Campaign::wants(const Stratum& stratum) const {
  const auto among = [](const std::vector<std::string>& words, const std::string& word) {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  };
  return among(durations, stratum.duration) && among(overlaps, stratum.overlap);
}

Campaign parse_campaign(const std::string& text, const std::string& name, const BaseReader& read_file) {
  return CampaignReader(read_document(text, name), name).read(read_file);
}

Campaign load_campaign(const std::filesystem::path& path) {
  return parse_campaign(read_source_text(path), path.string(),
                        [&](const std::string& file) { return read_source_text(path.parent_path() / file); });
}

const FileSection& campaign_keys() {
  static const FileSection section{
      "Campaign file",
      "For `flitmend campaign CAMPAIGN.yaml`; see docs/campaign.md.",
      {{"base", "", "a file, or sections", "Configuration that every run starts from, as in a sweep file."},
       {"axes", "", "a list of axes",
        "Hardware, traffic and faults to combine, as in a sweep file; without seeds and "
        "`recovery.protocol`."},
       {"protocols", "all", "a list of recovery protocols",
        "Protocols to test, each with every combination."},
       {"hits", "3000", "1 to 1000000000", "Hits to collect per protocol and stratum."},
       {"durations", "all", "a list of transient, permanent",
        "Strata to fill; hits in others are counted as they come."},
       {"overlaps", "all", "a list of one, at-once, in-sequence",
        "Strata to fill; hits in others are counted as they come."},
       {"earlier", "none", "a list of files",
        "`bounds.csv` of earlier campaigns, relative to this file: their hits count with those of this one. "
        "Give "
        "this one a `first_seed` above all of theirs, or it may make the same runs again."},
       {"confidence", "0.95", "0.5 to 0.999999", "One-sided confidence level of the bounds."},
       {"runs", "1000", "1 to 1000000", "Maximum number of runs per combination."},
       {"first_seed", "1", "1 to 1000000000", "`simulation.seed` of the first run of a combination."},
       {"slurm", "{}", "a section", "How a cluster runs the campaign, as in a sweep file."},
       {"timeout_seconds", "0", "0 to 1e9",
        "A run that takes longer is killed and counts as failed; 0: no limit."},
       {"allow_deadlock", "false", "true, false", "Run combinations that are not proved free of deadlock."}}};
  return section;
}

}  // namespace flitmend
