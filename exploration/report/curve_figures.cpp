// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include <optional>
#include <set>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/report/stored_stats.h"
#include "exploration/sweeps/metrics.h"
#include "testbench/configuration/declarations.h"
#include "testbench/configuration/loader.h"

namespace flitmend {
namespace {

std::string interval_text(const CurveMark& mark, const std::string& name) {
  const auto found = mark.values.find(name);
  if (found == mark.values.end()) return "–";
  const CurveValue& value = found->second;
  return rounded_text(value.mean) + (value.half_width ? " ± " + rounded_text(*value.half_width, 2) : "");
}

/// The runs that curves are made of: all successful ones except those that measure the saturation throughput,
/// which do not drain.
std::vector<CurveRun> curve_runs(const SweepReader& reader, const std::vector<PointRecord>& points) {
  std::set<std::int64_t> beyond;
  for (const SaturationRecord& s : reader.saturation())
    if (s.throughput_point) beyond.insert(*s.throughput_point);
  std::vector<CurveRun> runs;
  for (const PointRecord& point : points)
    if (point.status == PointStatus::done && !beyond.contains(point.id))
      runs.push_back({point.axes, point.metrics});
  return runs;
}

/// The axis of that key, if curves can run along it.
std::optional<std::size_t> axis_of(const CurveSet& set, const std::string& key) {
  for (std::size_t a = 0; a < set.axes.size(); ++a)
    if (!set.axes[a].numbers.empty() && set.axes[a].keys.front() == key) return a;
  return std::nullopt;
}

/// "load (flits per node per cycle)", "link.latency (cycles)": a key of the configuration with its unit. The
/// unit of a load is itself a key.
std::string axis_title(const std::string& key, const std::vector<PointRecord>& points) {
  const std::vector<DeclaredSection> keys = declarations(Configuration{});
  const auto unit_of = [&](const std::string& path) -> std::string {
    for (const DeclaredSection& section : keys)
      for (const DeclaredKey& k : section.keys)
        if (k.path == path) return k.unit;
    return "";
  };
  if (key != "traffic.load") return unit_of(key).empty() ? key : key + " (" + unit_of(key) + ")";
  const std::string of_each = "load (in the unit of each curve's traffic.load_unit)";
  for (const PointRecord& point : points) {
    if (point.axes.contains("traffic.load_unit")) return of_each;
    if (point.status != PointStatus::done) continue;
    try {
      const Configuration c = parse_configuration(point.configuration, "points", {});
      return c.traffic.load_unit == "flits" ? "load (flits per node per cycle)" : "load (share of capacity)";
    } catch (const ConfigurationError&) {
      break;  // of another version
    }
  }
  return of_each;
}

Json axes_data(const CurveSet& set, const std::vector<PointRecord>& points) {
  Json axes = Json::array();
  for (const CurveAxis& axis : set.axes) {
    Json numbers = Json::array();
    for (const std::optional<double>& number : axis.numbers)
      numbers.push_back(number ? Json(*number) : Json());
    axes.push_back({{"name", axis.name},
                    {"title", axis.keys.size() == 1 ? axis_title(axis.keys.front(), points) : axis.name},
                    {"values", axis.values},
                    {"numbers", std::move(numbers)}});
  }
  return axes;
}

/// For page/curves.js.
Json curve_data(const CurveSet& set, const std::vector<PointRecord>& points,
                const std::vector<StudyReference>& references) {
  std::set<std::string> metrics;
  for (const CurveMark& mark : set.marks)
    for (const auto& [name, value] : mark.values)
      if (!name.ends_with(".ci95")) metrics.insert(name);
  Json names = Json::array(), rows = Json::array(), others = Json::array();
  for (const std::string& name : metrics) names.push_back({{"name", name}, {"title", with_unit(name)}});
  for (const CurveMark& mark : set.marks) {
    // Parallel to `metrics`: mean, half width.
    Json values = Json::array();
    for (const std::string& name : metrics) {
      const auto found = mark.values.find(name);
      if (found == mark.values.end())
        values.push_back(nullptr);
      else if (found->second.half_width)
        values.push_back({found->second.mean, *found->second.half_width});
      else
        values.push_back({found->second.mean});
    }
    rows.push_back({{"at", mark.at}, {"runs", mark.runs}, {"values", std::move(values)}});
  }
  for (const StudyReference& reference : references)
    if (const auto axis = axis_of(set, reference.key))
      others.push_back({{"name", reference.name},
                        {"axis", *axis},
                        {"metric", reference.metric},
                        {"points", reference.points}});
  return {{"axes", axes_data(set, points)},
          {"x", *set.x},
          {"metrics", std::move(names)},
          {"rows", std::move(rows)},
          {"references", std::move(others)}};
}

void add_curve_table(ReportPage& page, const CurveSet& set) {
  const std::vector<std::string> metrics = {"traffic.accepted", "latency.total.mean", "latency.total.p95",
                                            "latency.total.p99", "hops.mean"};
  Table table{
      "Curves: means over runs that differ only in their seed, ± half width of the 95 % interval", {}, {}};
  for (const CurveAxis& axis : set.axes)
    table.columns.push_back({joined(axis.keys), axis.numbers.empty() ? Table::left : Table::right});
  table.columns.push_back({"runs", Table::right});
  for (const std::string& metric : metrics) table.columns.push_back({with_unit(metric), Table::right});
  for (const CurveMark& mark : set.marks) {
    std::vector<std::string> row;
    for (std::size_t a = 0; a < set.axes.size(); ++a) row.push_back(set.axes[a].values[mark.at[a]]);
    row.push_back(std::to_string(mark.runs));
    for (const std::string& metric : metrics) row.push_back(interval_text(mark, metric));
    table.rows.push_back(std::move(row));
  }
  page.table(table, true);
}

}  // namespace

void add_curves(ReportPage& page, const SweepReader& reader, const std::vector<PointRecord>& points,
                const std::vector<StudyReference>& references) {
  page.heading("Curves");
  std::vector<std::vector<std::string>> axes;
  for (const AxisRecord& axis : reader.axes()) axes.push_back(axis.keys);
  const CurveSet set = curves_of(curve_runs(reader, points), axes);
  if (!set.x) {
    page.paragraph(
        "There are no curves: they need an axis of one key with different numeric values, and runs that "
        "ended "
        "well.");
    return;
  }
  const std::string over = set.axes[*set.x].name;
  std::vector<std::string> others;
  for (const StudyReference& reference : references)
    if (!axis_of(set, reference.key)) others.push_back(reference.name);
  if (!others.empty())
    page.paragraph(
        "Not drawn, because their numbers are over a key along which no curve runs: " + joined(others) + ".");
  Json data = curve_data(set, points, references);
  // The pictures share the data of the first one.
  const auto add = [&](const std::string& title, const std::string& words, const char* metric,
                       const char* choice) {
    Json mine = {{"metric", metric}, {"choice", choice}};
    if (!data.is_null()) {
      mine["curves"] = std::move(data);
      data = nullptr;
    }
    page.figure("curves", title, words, std::move(mine));
  };
  const std::string bands = " Bands are 95 % confidence intervals.";
  add("Latency against " + over, "Latency of messages, a curve per combination of the other axes." + bands,
      "latency.total.mean", "latency.");
  add("Throughput against " + over,
      "Accepted traffic, a curve per combination of the other axes; the dashed line is the offered traffic." +
          bands,
      "traffic.accepted", "traffic.");
  add("Any statistic against " + over, "Choose a statistic." + bands, "hops.mean", "");
  add_curve_table(page, set);
}

}  // namespace flitmend
