// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/exhaustive_campaign.h"

#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "base/errors.h"
#include "base/table.h"
#include "base/text.h"
#include "exploration/campaign/sweep_part.h"
#include "testbench/configuration/source_text.h"

namespace flitmend {
namespace {

/// A count of a search, and the heading of its column.
struct Count {
  const char* key;
  const char* head;
};
constexpr Count kCounts[] = {{"cases", "cases"},
                             {"single", "one fault"},
                             {"pairs", "two faults"},
                             {"permanent", "permanent"},
                             {"hit", "hit"},
                             {"untouched", "nothing sent again"},
                             {"resent", "resent"},
                             {"guarded", "guard"},
                             {"lost", "lost, allowed"},
                             {"abandoned", "abandoned"},
                             {"deadlocks", "deadlock"},
                             {"failures", "failures"}};
constexpr std::size_t kNumber = std::size(kCounts);

struct ProtocolCounts {
  std::uint64_t scenarios = 0, refused = 0, without_result = 0;
  std::array<std::uint64_t, kNumber> counts{};

  void add(const ProtocolCounts& more) {
    scenarios += more.scenarios;
    refused += more.refused;
    without_result += more.without_result;
    for (std::size_t i = 0; i < kNumber; ++i) counts[i] += more.counts[i];
  }
};

std::vector<std::string> cells(const std::string& protocol, const ProtocolCounts& c) {
  std::vector<std::string> row = {protocol};
  for (const std::uint64_t count : {c.scenarios, c.refused, c.without_result})
    row.push_back(formatted("%1%", count));
  for (const std::uint64_t count : c.counts) row.push_back(formatted("%1%", count));
  return row;
}

std::vector<std::string> heads() {
  std::vector<std::string> row = {"protocol", "scenarios", "refused", "no result"};
  for (const Count& count : kCounts) row.emplace_back(count.head);
  return row;
}

/// Of a failure in the stats of a point: what makes it smaller than others.
auto size_of(const Json& failure) {
  return std::tuple(failure.at("messages").get<std::uint64_t>(), failure.at("flits").get<std::uint64_t>(),
                    failure.at("faults").get<std::uint64_t>(), failure.at("last_cycle").get<std::uint64_t>());
}

void collect_failures(
    const std::string& protocol, const Json& stats,
    std::map<std::pair<std::string, std::string>, std::pair<SmallestFailure, Json>>& smallest) {
  for (const Json& failure : stats.at("failures")) {
    const std::string kind = failure.at("kind").get<std::string>();
    const auto [found, first] = smallest.try_emplace({protocol, kind});
    auto& [known, json] = found->second;
    const std::uint64_t cases = known.cases + failure.at("cases").get<std::uint64_t>();
    if (first || size_of(failure) < size_of(json)) {
      json = failure;
      known = {protocol, kind, failure.at("what").get<std::string>(), 0,
               failure.at("configuration").get<std::string>()};
    }
    known.cases = cases;
  }
}

/// The search strikes itself, and replaces what a configuration says.
void refuse_own_faults(const Sweep& sweep) {
  const std::string remedy = "an exhaustive campaign tries all faults itself; remove it";
  if (const DocumentEntry* faults = sweep.base_document.find("faults"))
    throw ConfigurationError(faults->place.source.empty() ? Place{sweep.base_name} : faults->place,
                             "faults: " + remedy);
  for (const SweepAxis& axis : sweep.axes)
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (axis.keys[k] == "faults" || axis.keys[k].starts_with("faults."))
        throw ConfigurationError(axis.key_places[k], "axes: " + axis.keys[k] + ": " + remedy);
}

}  // namespace

Sweep parse_exhaustive_campaign(const std::string& text, const std::string& name,
                                const BaseReader& read_file) {
  const DocumentNode root = read_document(text, name);
  ErrorList errors(name);
  MapReader map(root, "", exhaustive_campaign_keys(), errors);
  errors.throw_if_any();
  const std::vector<std::string> protocols = read_protocols(map);
  const DocumentNode* const space = map.get("exhaustive");
  map.finish();
  errors.throw_if_any();
  const SweepPart part(root, name);
  refuse_own_faults(part.read(read_file));
  // Networks are made for faults if some strike. The search replaces this one by its own.
  const Json fault = {{"cycle", 0}, {"node", 0}, {"duration", 1}};
  AddedAxes axes;
  axes.last.push_back({{"key", "faults.events"}, {"values", Json::array({Json::array({fault})})}});
  axes.last.push_back({{"key", "recovery.protocol"}, {"values", protocols}});
  return part.read(read_file, {{"exhaustive", space ? json_of(*space) : Json::object()}}, axes);
}

Sweep load_exhaustive_campaign(const std::filesystem::path& path) {
  return parse_exhaustive_campaign(read_source_text(path), path.string(), [&](const std::string& file) {
    return read_source_text(path.parent_path() / file);
  });
}

const FileSection& exhaustive_campaign_keys() {
  static const FileSection section{
      "Exhaustive campaign file",
      "For `flitmend campaign --exhaustive CAMPAIGN.yaml`; see docs/campaign.md.",
      {{"base", "", "a file, or sections",
        "Configuration that every scenario starts from, as in a sweep file, without `faults`."},
       {"axes", "", "a list of axes",
        "Networks, hardware and `traffic.messages` to combine, as in a sweep file; without "
        "`recovery.protocol`."},
       {"protocols", "all", "a list of recovery protocols",
        "Protocols to test, each with every combination that it can have."},
       {"exhaustive", "{}", "a section", "Which faults are tried."},
       {"slurm", "{}", "a section", "How a cluster runs the campaign, as in a sweep file."},
       {"timeout_seconds", "0", "0 to 1e9",
        "A scenario that takes longer is killed and has no result; 0: no limit."},
       {"allow_deadlock", "false", "true, false",
        "Search scenarios that are not proved free of deadlock; deadlocks that the watchdog finds do not "
        "count as "
        "failures."}}};
  return section;
}

ExhaustiveResults exhaustive_results(const SweepReader& reader) {
  std::map<std::string, ProtocolCounts> by_protocol;
  std::map<std::pair<std::string, std::string>, std::pair<SmallestFailure, Json>> smallest;
  for (const PointRecord& point : reader.points()) {
    const std::string protocol = point.axes.at("recovery.protocol").get<std::string>();
    ProtocolCounts one;
    const std::optional<Json> stats = reader.stats(point.id);
    if (stats) {
      one.scenarios = 1;
      for (std::size_t i = 0; i < kNumber; ++i)
        one.counts[i] = stats->at("exhaustive").at(kCounts[i].key).get<std::uint64_t>();
      collect_failures(protocol, *stats, smallest);
    } else {
      ++(point.status == PointStatus::refused ? one.refused : one.without_result);
    }
    by_protocol[protocol].add(one);
  }

  ExhaustiveResults results;
  Table table;
  std::string lines;
  for (const std::string& head : heads()) {
    table.columns.push_back({head, table.columns.empty() ? Table::left : Table::right});
    lines += (lines.empty() ? "" : ",") + (head.find(',') == head.npos ? head : '"' + head + '"');
  }
  const auto add = [&](const std::string& protocol, const ProtocolCounts& counts) {
    const std::vector<std::string> row = cells(protocol, counts);
    lines += '\n';
    for (std::size_t i = 0; i < row.size(); ++i) lines += (i ? "," : "") + row[i];
    table.add(row);
  };
  ProtocolCounts sum;
  for (const auto& [protocol, counts] : by_protocol) {
    add(protocol, counts);
    sum.add(counts);
  }
  add("all", sum);
  results.table = table.markdown();
  results.csv = lines + '\n';
  for (const auto& [key, found] : smallest) results.failures.push_back(found.first);
  return results;
}

}  // namespace flitmend
