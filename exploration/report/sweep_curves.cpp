// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sweep_curves.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "exploration/report/stored_stats.h"
#include "exploration/sweeps/axis.h"
#include "testbench/statistics/mean_interval.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSeed = "simulation.seed";
constexpr const char* kLoad = "traffic.load";

/// The keys of all axes: those of the sweep, then others of the runs in the order in which they appear.
std::vector<std::vector<std::string>> keys_of_axes(const std::vector<CurveRun>& runs,
                                                   std::vector<std::vector<std::string>> axes) {
  std::set<std::string> known{kSeed};
  for (const std::vector<std::string>& keys : axes) known.insert(keys.begin(), keys.end());
  for (const CurveRun& run : runs)
    for (const auto& entry : run.axes.items())
      if (known.insert(entry.key()).second) axes.push_back({entry.key()});
  return axes;
}

/// What a run has for an axis: the values of its keys; empty if it has none of them.
std::vector<Json> values_of(const CurveRun& run, const std::vector<std::string>& keys) {
  std::vector<Json> values;
  for (const std::string& key : keys)
    if (const auto found = run.axes.find(key); found != run.axes.end()) values.push_back(*found);
  return values.size() == keys.size() ? values : std::vector<Json>{};
}

/// An axis while it is read: its values in the order in which they appear.
struct AxisValues {
  std::vector<std::string> keys;
  std::vector<std::vector<Json>> values{};
  std::map<std::string, std::size_t> indices{};

  std::size_t index_of(const CurveRun& run) {
    std::vector<Json> here = values_of(run, keys);
    const auto [found, is_new] = indices.try_emplace(Json(here).dump(), values.size());
    if (is_new) values.push_back(std::move(here));
    return found->second;
  }
};

/// The keys of a zipped axis that differ, by index.
std::vector<std::size_t> varying_keys(const AxisValues& axis) {
  std::vector<std::size_t> varying;
  for (std::size_t k = 0; k < axis.keys.size(); ++k) {
    const auto differs = [&](const std::vector<Json>& v) {
      return v.empty() || axis.values.front().empty() || v[k] != axis.values.front()[k];
    };
    if (std::any_of(axis.values.begin(), axis.values.end(), differs)) varying.push_back(k);
  }
  return varying;
}

CurveAxis curve_axis(const AxisValues& axis, const std::vector<std::string>& names) {
  CurveAxis shown{axis.keys, "", {}, {}};
  const std::vector<std::size_t> varying = varying_keys(axis);
  for (const std::size_t k : varying) shown.name += (shown.name.empty() ? "" : ", ") + names[k];
  bool numbers = axis.keys.size() == 1;
  for (const std::vector<Json>& values : axis.values) {
    std::string text;
    for (const std::size_t k : varying)
      if (!values.empty()) text += (text.empty() ? "" : ", ") + axis_value_text(values[k]);
    shown.values.push_back(values.empty() ? "–" : text);
    numbers = numbers && (values.empty() || values.front().is_number());
  }
  for (const std::vector<Json>& values : axis.values)
    if (numbers)
      shown.numbers.push_back(values.empty() ? std::nullopt : std::optional(values.front().get<double>()));
  return shown;
}

/// Whether curves can run along an axis: it has two numbers.
bool makes_a_curve(const CurveAxis& axis) {
  return std::count_if(axis.numbers.begin(), axis.numbers.end(),
                       [](const auto& n) { return n.has_value(); }) > 1;
}

/// Replaces the part after the last dot: latency.total.mean becomes latency.total.ci95.
std::string own_interval(const std::string& metric) {
  const std::size_t dot = metric.rfind('.');
  return metric.ends_with(".mean") ? metric.substr(0, dot) + ".ci95" : "";
}

CurveValue averaged(const std::vector<double>& values) {
  const auto runs = static_cast<unsigned>(values.size());
  if (runs < 2) return {.mean = values.front(), .half_width = {}, .runs = runs};
  const Interval interval = interval_95(values);
  return {.mean = interval.mean, .half_width = interval.half_width, .runs = runs};
}

CurveMark mark_of(std::vector<std::size_t> at, const std::vector<const CurveRun*>& runs) {
  CurveMark mark{std::move(at), static_cast<unsigned>(runs.size()), {}};
  std::map<std::string, std::vector<double>> values;
  for (const CurveRun* run : runs)
    for (const auto& [name, value] : run->metrics) values[name].push_back(value);
  for (const auto& [name, list] : values) mark.values[name] = averaged(list);
  for (auto& [name, value] : mark.values) {
    const auto interval = values.find(own_interval(name));
    if (value.runs == 1 && interval != values.end()) value.half_width = interval->second.front();
  }
  return mark;
}

}  // namespace

std::string axis_value_text(const Json& value) {
  return value.is_structured() ? yaml_of(value) : value_text(value);
}

std::vector<std::string> short_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> shorter;
  for (const std::string& key : keys) shorter.push_back(key.substr(key.rfind('.') + 1));
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < keys.size(); ++j)
      if (i != j && keys[i].substr(keys[i].rfind('.') + 1) == keys[j].substr(keys[j].rfind('.') + 1))
        shorter[i] = keys[i];
  return shorter;
}

CurveSet curves_of(const std::vector<CurveRun>& runs, const std::vector<std::vector<std::string>>& axes) {
  std::vector<AxisValues> all;
  std::vector<std::string> every_key;
  for (const std::vector<std::string>& keys : keys_of_axes(runs, axes)) {
    if (keys == std::vector<std::string>{kSeed}) continue;
    all.push_back({keys});
    every_key.insert(every_key.end(), keys.begin(), keys.end());
  }
  std::vector<std::vector<std::size_t>> places;  // in the order of their first runs
  std::map<std::vector<std::size_t>, std::vector<const CurveRun*>> here;
  for (const CurveRun& run : runs) {
    std::vector<std::size_t> at;
    for (AxisValues& axis : all) at.push_back(axis.index_of(run));
    if (!here.contains(at)) places.push_back(at);
    here[at].push_back(&run);
  }

  CurveSet set;
  const std::vector<std::string> names = short_keys(every_key);
  std::vector<std::size_t> shown;
  for (std::size_t a = 0, key = 0; a < all.size(); key += all[a++].keys.size()) {
    if (all[a].values.size() < 2) continue;
    const auto first = names.begin() + static_cast<std::ptrdiff_t>(key);
    shown.push_back(a);
    set.axes.push_back(curve_axis(all[a], {first, first + static_cast<std::ptrdiff_t>(all[a].keys.size())}));
  }
  for (std::size_t a = 0; a < set.axes.size(); ++a)
    if (makes_a_curve(set.axes[a]) && (!set.x || set.axes[a].keys.front() == kLoad)) set.x = a;
  for (const std::vector<std::size_t>& place : places) {
    std::vector<std::size_t> at;
    for (const std::size_t a : shown) at.push_back(place[a]);
    set.marks.push_back(mark_of(std::move(at), here[place]));
  }
  return set;
}

}  // namespace flitmend
