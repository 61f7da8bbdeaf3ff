// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include <algorithm>

#include "base/digest.h"
#include "base/errors.h"
#include "base/input_file.h"
#include "base/text.h"
#include "exploration/report/fault_events.h"
#include "exploration/report/stored_stats.h"
#include "exploration/sweeps/metrics.h"
#include "testbench/configuration/loader.h"
#include "testbench/files/input_files.h"
#include "testbench/files/run_folder.h"
#include "testbench/statistics/results.h"
#include "testbench/workloads/workload.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 2000;  // in the table of channels

std::optional<std::string> file_text(const std::filesystem::path& path) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  try {
    return read_input_file(path.string(), kMostBytes);
  } catch (const ConfigurationError&) {
    return std::nullopt;
  }
}

/// Finds what prevents a text from being read as JSON, and where.
class JsonFault : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return deeper(); }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& e) override {
    byte = position;
    const bool too_large = dynamic_cast<const nlohmann::detail::out_of_range*>(&e) != nullptr;
    what = too_large ? token + " is larger than any double" : "invalid JSON";
    if (too_large) byte -= token.size() - 1;  // where it begins
    return false;
  }

  std::size_t byte = 0;  ///< where it is wrong, from 1; 0: unknown
  std::string what;      ///< empty: the text can be read

 private:
  bool deeper() {
    if (++depth_ <= kDeepest) return true;
    what = formatted("nested more than %1% deep", kDeepest);
    return false;
  }
  static constexpr int kDeepest = 64;  // stats.json: 4
  int depth_ = 0;
};

/// "3:14", from 1.
std::string line_and_column(const std::string& text, std::size_t byte) {
  const std::string_view before = std::string_view(text).substr(0, byte - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return formatted("%1%:%2%", line, before.size() - begin + 1);
}

StoredStats read_stats(const std::filesystem::path& path) {
  const std::optional<std::string> text = file_text(path);
  if (!text)
    throw ConfigurationError("cannot read " + path.string() +
                             "; check that it is a file and that you may read it");
  JsonFault fault;
  Json::sax_parse(*text, &fault);
  if (!fault.what.empty())
    throw ConfigurationError("cannot read " + path.string() +
                             (fault.byte > 0 ? ":" + line_and_column(*text, fault.byte) : "") + ": " +
                             fault.what + "; run the simulation again");
  Json json = Json::parse(*text);
  StoredStats stats(std::move(json));
  const Json* schema = stats.find("schema");
  if (!schema)
    throw ConfigurationError("cannot read " + path.string() +
                             ": it is not a result of flitmend run, because it has no schema");
  if (*schema != kResultsSchema)
    throw ConfigurationError(
        formatted("cannot read %1%: its schema is %2%, but this version of flitmend reads %3%; run the "
                  "simulation again, or use the version that wrote it",
                  path.string(), value_text(*schema), kResultsSchema));
  return stats;
}

/// The contents of config.yaml, as far as it can be read.
struct RunConfiguration {
  std::optional<std::string> text;
  std::optional<Configuration> parsed;
  std::unique_ptr<Topology> topology;  ///< null if it cannot be made, or not that of the run
  bool same_routing = false;           ///< the network and its routing can be built as in the run
  std::string trouble;                 ///< what went wrong; empty: nothing
};

/// A file of the network or its routing that has changed since the run read it. The report needs no other
/// file, and a trace can have many gigabytes.
struct ChangedFile {
  std::string key;
  std::string warning;
};
std::vector<ChangedFile> changed_files(const StoredStats& stats) {
  std::vector<ChangedFile> changed;
  const Json* const inputs = stats.find("host.inputs");
  if (!inputs || !inputs->is_array()) return changed;
  for (const Json& input : *inputs) {
    const StoredStats file(input);
    const std::string key = file.text("key"), path = file.text("path"), before = file.text("sha256");
    if (key != "network.graph" && key != "routing.table") continue;
    try {
      if (sha256_of_file(path) == before) continue;
      changed.push_back(
          {key, key + ": " + path + " has changed since the run (SHA-256 " + before + " then)."});
    } catch (const ConfigurationError& e) {
      changed.push_back({key, key + ": " + e.what() + "."});
    }
  }
  return changed;
}

/// A run of an earlier version kept no digests.
std::string files_without_digest(const Configuration& c, const StoredStats& stats) {
  if (stats.find("host.inputs")) return "";
  std::string text;
  for (const InputFile& file : network_files(c))
    text += (text.empty() ? "" : " ") + std::string(file.key) + ": " + file.path +
            " may have changed since the run, which kept no digest of it.";
  return text;
}

RunConfiguration read_configuration(const std::filesystem::path& path, const StoredStats& stats) {
  RunConfiguration c;
  c.text = file_text(path);
  if (!c.text) {
    c.trouble = path.string() + " cannot be read; the report does not show the configuration.";
    return c;
  }
  bool same_graph = true;
  c.same_routing = true;
  for (const ChangedFile& file : changed_files(stats)) {
    c.trouble += (c.trouble.empty() ? "" : " ") + file.warning;
    same_graph &= file.key != "network.graph";
    c.same_routing &= file.key != "network.graph" && file.key != "routing.table";
  }
  if (!same_graph) {
    c.trouble += " The report does not show the network.";
    return c;
  }
  try {
    c.parsed = parse_configuration(*c.text, path.string(), {});
    c.topology = make_topology(c.parsed->network);
    if (c.trouble.empty()) c.trouble = files_without_digest(*c.parsed, stats);
  } catch (const ConfigurationError& e) {
    c.same_routing = false;
    c.trouble +=
        std::string(c.trouble.empty() ? "" : " ") + "This version cannot read the configuration: " + e.what();
  }
  return c;
}

std::string traffic_text(const TrafficSettings& traffic, const StoredStats& stats) {
  if (stats.find("status.platform")) return "transactions of a platform";
  return workload_of(traffic).description(traffic);
}

std::string subtitle(const RunConfiguration& c, const StoredStats& stats,
                     const std::filesystem::path& folder) {
  if (!c.parsed) return folder.string();
  return formatted("%1% routing, %2%, seed %3%", c.parsed->routing.algorithm,
                   traffic_text(c.parsed->traffic, stats), c.parsed->simulation.seed);
}

void add_tiles(ReportPage& page, const StoredStats& stats) {
  const auto share = stats.number("traffic.normalised_accepted");
  const auto interval = stats.number("latency.total.ci95");
  page.tiles({
      {"Accepted", stats.text("traffic.accepted", 4), "flits per node per cycle"},
      {"Offered", stats.text("traffic.offered", 4), "flits per node per cycle"},
      {"Throughput", share ? rounded_text(*share * 100, 3) + " %" : "–", "of capacity"},
      {"Mean latency", stats.text("latency.total.mean", 4),
       interval ? "± " + rounded_text(*interval, 2) + " cycles (95 %)" : "cycles"},
      {"99th percentile", stats.text("latency.total.p99", 4), "cycles"},
      {"Delivered", stats.text("messages.delivered"), "of " + stats.text("messages.generated") + " messages"},
  });
}

/// The subject of the figures below comes first.
void add_status(ReportPage& page, const StoredStats& stats) {
  const Json* outcome = stats.find("status.outcome");
  if (!outcome || *outcome == to_string(RunOutcome::complete) || *outcome == to_string(RunOutcome::contract))
    return;
  if (*outcome == to_string(RunOutcome::incomplete)) {
    page.warning("The run could not do all: " + stats.text("status.reason") + ".");
    return;
  }
  page.warning("The run was cut short (" + stats.text("status.outcome") +
               "): " + stats.text("status.reason") + ". All figures are of the cycles before.");
}

void add_warnings(ReportPage& page, const StoredStats& stats) {
  add_status(page, stats);
  const Json* holds = stats.find("contract.holds");
  if (holds && *holds == false)
    page.warning("The model broke its contract " + stats.text("contract.violations") +
                 " times: see contract.first in stats.json.");
  if (stats.number("messages.in_flight").value_or(0) > 0)
    page.warning(stats.text("messages.in_flight") +
                 " messages were still in flight at the end; latencies are those of messages that arrived.");
  if (stats.number("latency.total.count").value_or(0) > 0 && stats.find("latency.total.ci95_reason"))
    page.warning("The mean latency has no 95 % interval: " + stats.text("latency.total.ci95_reason") + ".");
}

void flatten(const Json& value, const std::string& name, Table& table) {
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) flatten(part, name.empty() ? key : name + "." + key, table);
  } else if (!value.is_array()) {
    const KnownStatistic* const known = known_statistic(name);
    table.add({name, value_text(value), known ? known->unit : "", known ? known->description : ""});
  }
}

void add_statistics(ReportPage& page, const StoredStats& stats) {
  Table table{"All statistics", {{"statistic"}, {"value", Table::right}, {"unit"}, {"definition"}}, {}};
  flatten(stats.json(), "", table);
  page.table(table, false);
}

void add_channel_table(ReportPage& page, const StoredStats& stats) {
  const Json* channels = stats.find("channels");
  if (!channels || !channels->is_array()) return;
  std::vector<StoredStats> rows;
  for (const Json& channel : *channels) rows.emplace_back(channel);
  std::stable_sort(rows.begin(), rows.end(), [](const StoredStats& a, const StoredStats& b) {
    return a.number("flits").value_or(0) > b.number("flits").value_or(0);
  });
  Table table{"Channels, the busiest first",
              {{"from"},
               {"port"},
               {"to"},
               {"flits", Table::right, "Flits that crossed in the measured window"},
               {"utilisation", Table::right, "Flits per measured cycle"}},
              {}};
  if (rows.size() > kMostRows) table.title += formatted(" (%1% of %2%)", kMostRows, rows.size());
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kMostRows)), rows.end());
  for (const StoredStats& row : rows)
    table.rows.push_back(
        {row.text("from"), row.text("port"), row.text("to"), row.text("flits"), row.text("utilisation")});
  page.table(table, true);
}

}  // namespace

ReportPage run_report(const std::filesystem::path& folder) {
  const LabelledStats run{"", read_stats(folder / "stats.json")};
  const RunConfiguration configuration = read_configuration(folder / "config.yaml", run.stats);
  ReportPage page(configuration.topology ? "Run of " + configuration.topology->description() : "Run",
                  subtitle(configuration, run.stats, folder));
  add_warnings(page, run.stats);
  if (!configuration.trouble.empty()) page.warning(configuration.trouble);
  add_tiles(page, run.stats);
  page.heading("Latency");
  if (!add_histogram(page, {run}))
    page.paragraph(
        "The run did not record a latency histogram; statistics: {histogram: true} in the configuration "
        "does.");
  add_time_line(page, run.stats);
  std::vector<FaultEvents::Outage> outages;
  if (configuration.parsed && configuration.parsed->faults.any()) {
    const std::optional<FaultEvents> events = read_fault_events(folder / "events.csv");
    if (events)
      outages = events->outages;
    else if (configuration.topology)
      outages = certain_outages(
          *configuration.parsed, *configuration.topology,
          static_cast<std::uint64_t>(std::max(0.0, run.stats.number("simulation.cycles").value_or(0))));
    add_faults(page, run.stats, configuration.topology.get(), events, outages);
  }
  page.heading("Channels");
  if (!run.stats.find("channels"))
    page.paragraph(
        "The run did not record the utilisation of channels; statistics: {channels: true} in the "
        "configuration "
        "does.");
  else if (!configuration.topology || !add_map(page, *configuration.topology, {run}, outages))
    page.paragraph(
        "The network cannot be drawn: it has too many channels, or the configuration does not match them.");
  add_channel_table(page, run.stats);
  add_blocking(page, run.stats, configuration.topology.get());
  const bool deadlocked = add_found_deadlock(page, run.stats, configuration.topology.get());
  const std::optional<std::string> check = file_text(folder / kCheckFile);
  if (check || configuration.same_routing)
    add_deadlock(page, configuration.same_routing ? &*configuration.parsed : nullptr, check,
                 VerdictCache::of_user(), !deadlocked);
  page.heading("Figures");
  add_statistics(page, run.stats);
  if (configuration.text) {
    page.heading("Configuration");
    page.listing("config.yaml", *configuration.text, true);
  }
  return page;
}

}  // namespace flitmend
