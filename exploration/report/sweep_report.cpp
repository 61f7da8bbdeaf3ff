// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/report/stored_stats.h"
#include "exploration/report/sweep_curves.h"
#include "exploration/sweeps/metrics.h"
#include "exploration/sweeps/named_files.h"
#include "exploration/sweeps/reader.h"
#include "testbench/configuration/loader.h"
#include "testbench/files/input_files.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostStates = 400;  // runs that one picture offers

std::string metric_text(const PointRecord& point, const std::string& name) {
  const auto found = point.metrics.find(name);
  return found == point.metrics.end() ? "–" : rounded_text(found->second);
}

std::string optional_text(const std::optional<double>& value) {
  return value ? rounded_text(*value) : "–";
}

/// Keys that the points set, in the order in which they appear.
std::vector<std::string> axis_keys(const std::vector<PointRecord>& points) {
  std::vector<std::string> keys;
  for (const PointRecord& point : points)
    for (const auto& entry : point.axes.items())
      if (std::find(keys.begin(), keys.end(), entry.key()) == keys.end()) keys.push_back(entry.key());
  return keys;
}

void add_saturation(ReportPage& page, const SweepReader& reader) {
  const std::vector<SaturationRecord> curves = reader.saturation();
  if (curves.empty()) return;
  page.heading("Saturation");
  Table table{"Saturation points",
              {{"curve"},
               {"search"},
               {"saturation load", Table::right, "In the unit of traffic.load"},
               {"saturation throughput", Table::right, "Accepted at 1.3 times that load, flits/cycle/node"},
               {"zero-load latency (cycles)", Table::right},
               {"remark"}},
              {}};
  for (const SaturationRecord& s : curves) {
    std::vector<std::string> words;
    for (const auto& entry : s.axes.items())
      words.push_back(entry.key() + " " + axis_value_text(entry.value()));
    table.rows.push_back({words.empty() ? "all" : joined(words), to_word(s.status), optional_text(s.load),
                          optional_text(s.throughput), optional_text(s.zero_load_latency), s.message});
  }
  page.table(table, false);
}

/// Runs with their stored statistics, as far as the sweep kept them, named by their axes.
std::vector<LabelledStats> stored_runs(const SweepReader& reader,
                                       const std::vector<const PointRecord*>& points, const char* needed) {
  std::vector<LabelledStats> runs;
  for (const PointRecord* point : points) {
    if (runs.size() == kMostStates) break;
    std::optional<Json> json = reader.stats(point->id);
    if (!json) continue;
    StoredStats stats(std::move(*json));
    if (!stats.find(needed)) continue;
    std::vector<std::string> keys, words;
    for (const auto& entry : point->axes.items()) keys.push_back(entry.key());
    const std::vector<std::string> names = short_keys(keys);
    for (std::size_t i = 0; i < keys.size(); ++i)
      words.push_back(names[i] + " " + axis_value_text(point->axes[keys[i]]));
    runs.push_back({words.empty() ? formatted("point %1%", point->id) : joined(words), std::move(stats)});
  }
  return runs;
}

/// The points that stored the utilisation of their channels, at most kMostStates.
std::vector<const PointRecord*> with_channels(const SweepReader& reader,
                                              const std::vector<PointRecord>& points) {
  std::vector<const PointRecord*> found;
  for (const PointRecord& point : points) {
    if (found.size() == kMostStates) break;
    const std::optional<Json> stats = reader.stats(point.id);
    if (stats && stats->contains("channels")) found.push_back(&point);
  }
  return found;
}

/// Points with one network, in the order of their first occurrence.
struct PointsOfNetwork {
  std::unique_ptr<Topology> topology;
  std::vector<const PointRecord*> points;
};

/// Graphs that have changed since the sweep was started, each checked once.
class ChangedGraphs {
 public:
  explicit ChangedGraphs(std::string files) : files_(std::move(files)) {}

  /// Whether the network of the runs can no longer be built.
  bool concern(const Configuration& c) {
    bool changed = false;
    for (const InputFile& file : network_files(c)) {
      if (file.key != "network.graph") continue;
      const auto [graph, first] = seen_.try_emplace(file.path);
      if (first) graph->second = has_changed(file.path, files_);
      changed |= graph->second;
    }
    return changed;
  }
  std::string warning() const {
    std::string text;
    for (const auto& [path, changed] : seen_)
      if (changed)
        text += (text.empty() ? "" : " ") + ("network.graph: " + path) +
                " has changed since the sweep was started, or cannot be read.";
    return text.empty() ? "" : text + " The report does not show the network.";
  }

 private:
  std::string files_;  ///< as named_files() has it
  std::map<std::string, bool> seen_;
};

std::vector<PointsOfNetwork> by_network(const std::vector<const PointRecord*>& points,
                                        ChangedGraphs& changed) {
  std::vector<PointsOfNetwork> networks;
  for (const PointRecord* point : points) {
    std::unique_ptr<Topology> topology;
    try {
      const Configuration c = parse_configuration(point->configuration, "points", {});
      if (changed.concern(c)) continue;
      topology = make_topology(c.network);
    } catch (const ConfigurationError&) {
      continue;  // written by another version; its row of the table is shown anyway
    }
    auto found = std::find_if(networks.begin(), networks.end(), [&](const PointsOfNetwork& n) {
      return n.topology->description() == topology->description();
    });
    if (found == networks.end()) found = networks.insert(networks.end(), {std::move(topology), {}});
    found->points.push_back(point);
  }
  return networks;
}

void add_pictures_of_runs(ReportPage& page, const SweepReader& reader,
                          const std::vector<PointRecord>& points) {
  page.heading("Single runs");
  std::vector<const PointRecord*> all;
  for (const PointRecord& point : points) all.push_back(&point);
  bool any = add_histogram(page, stored_runs(reader, all, "latency.total.histogram"));
  ChangedGraphs changed(reader.meta("files"));
  const std::vector<PointsOfNetwork> networks = by_network(with_channels(reader, points), changed);
  if (const std::string warning = changed.warning(); !warning.empty()) page.warning(warning), any = true;
  for (const PointsOfNetwork& network : networks)
    any |= add_map(page, *network.topology, stored_runs(reader, network.points, "channels"));
  if (!any)
    page.paragraph(
        "Latency histograms and maps of the channels' utilisation appear here when the runs record them "
        "(statistics: {histogram: true, channels: true} in the base configuration) and the sweep keeps their "
        "stats.");
}

void add_points(ReportPage& page, const SweepReader& reader, const std::vector<PointRecord>& points) {
  const std::vector<std::string> keys = axis_keys(points);
  const std::vector<std::string> metrics = {"traffic.offered", "traffic.accepted", "latency.total.mean",
                                            "latency.total.p99", "messages.delivered"};
  Table table{"All points", {{"point", Table::right}}, {}};
  for (const std::string& key : keys) {
    const bool numbers = std::all_of(points.begin(), points.end(), [&](const PointRecord& point) {
      return !point.axes.contains(key) || point.axes[key].is_number();
    });
    table.columns.push_back({key, numbers ? Table::right : Table::left});
  }
  table.columns.push_back({"ended"});
  for (const std::string& metric : metrics) table.columns.push_back({with_unit(metric), Table::right});
  table.columns.push_back({"CPU (s)", Table::right});
  table.columns.push_back({"message"});
  for (const PointRecord& point : points) {
    std::vector<std::string> row = {std::to_string(point.id)};
    for (const std::string& key : keys)
      row.push_back(point.axes.contains(key) ? axis_value_text(point.axes[key]) : "–");
    row.push_back(to_word(point.status));
    for (const std::string& metric : metrics) row.push_back(metric_text(point, metric));
    const std::optional<HostRecord> host = reader.host(point.id);
    row.push_back(host ? optional_text(host->cpu_seconds) : "–");
    row.push_back(point.message);
    table.rows.push_back(std::move(row));
  }
  page.heading("Points");
  page.table(table, false);
}

std::string axes_text(const SweepReader& reader) {
  std::vector<std::string> words;
  for (const AxisRecord& axis : reader.axes())
    words.push_back(axis.name +
                    (axis.points.empty() ? " (until saturation)" : formatted(" (%1%)", axis.points.size())));
  return words.empty() ? "no axes" : joined(words, " × ");
}

}  // namespace

void add_sweep_warnings(ReportPage& page, const SweepReader& reader, const std::vector<PointRecord>& points) {
  if (!reader.complete())
    page.warning("The sweep is not complete: points are missing. flitmend sweep … --resume runs them.");
  std::map<std::string, std::size_t> ended;
  for (const PointRecord& point : points)
    if (point.status != PointStatus::done) ++ended[to_word(point.status)];
  std::vector<std::string> words;
  for (const auto& [word, count] : ended) words.push_back(formatted("%1% %2%", count, word));
  if (!words.empty())
    page.warning("Some points failed: " + joined(words) +
                 ". The curves leave these out; the table of all points says more.");
}

std::string sweep_text(const SweepReader& reader, const std::vector<PointRecord>& points) {
  return formatted("%1% points; axes: %2%", points.size(), axes_text(reader));
}

ReportPage sweep_report(const std::filesystem::path& folder) {
  const SweepReader reader(folder);
  const std::vector<PointRecord> points = reader.points();
  const std::string name = std::filesystem::path(reader.meta("sweep_name")).stem().string();
  ReportPage page("Sweep" + (name.empty() ? "" : " " + name), sweep_text(reader, points));
  add_sweep_warnings(page, reader, points);
  add_sweep_results(page, reader, points);
  return page;
}

void add_sweep_results(ReportPage& page, const SweepReader& reader, const std::vector<PointRecord>& points,
                       const std::vector<StudyReference>& references) {
  add_curves(page, reader, points, references);
  add_saturation(page, reader);
  add_pictures_of_runs(page, reader, points);
  add_points(page, reader, points);
  page.heading("Configuration");
  page.listing("Sweep: " + reader.meta("sweep_name"), reader.meta("sweep"), true);
  page.listing("Base: " + reader.meta("base_name"), reader.meta("base"), true);
}

}  // namespace flitmend
