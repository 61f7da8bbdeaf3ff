// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sweep_curves.h"

#include <algorithm>
#include <set>

#include "exploration/report/stored_stats.h"
#include "exploration/studies/interval.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSeed = "simulation.seed";
constexpr const char* kLoad = "traffic.load";

struct KeyValues {
  std::string key;
  std::set<std::string> values;
  bool numbers = true;
};

/// The keys of all axes, in the order in which they appear.
std::vector<KeyValues> key_values(const std::vector<CurveRun>& runs) {
  std::vector<KeyValues> keys;
  for (const CurveRun& run : runs)
    for (const auto& [key, value] : run.axes.items()) {
      const std::string& name = key;
      auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyValues& k) { return k.key == name; });
      if (found == keys.end()) found = keys.insert(keys.end(), KeyValues{key, {}, true});
      found->values.insert(value.dump());
      found->numbers = found->numbers && value.is_number();
    }
  return keys;
}

std::string x_key(const std::vector<KeyValues>& keys) {
  const auto makes_a_curve = [](const KeyValues& k) {
    return k.key != kSeed && k.numbers && k.values.size() > 1;
  };
  for (const KeyValues& k : keys)
    if (k.key == kLoad && makes_a_curve(k)) return k.key;
  const auto found = std::find_if(keys.begin(), keys.end(), makes_a_curve);
  return found == keys.end() ? "" : found->key;
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

CurveMark mark_of(double x, const std::vector<const CurveRun*>& runs) {
  CurveMark mark{x, static_cast<unsigned>(runs.size()), {}};
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

struct SeriesRuns {
  std::vector<std::string> values;
  std::map<double, std::vector<const CurveRun*>> by_x;
};

}  // namespace

std::vector<std::string> short_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> shorter;
  for (const std::string& key : keys) shorter.push_back(key.substr(key.rfind('.') + 1));
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < keys.size(); ++j)
      if (i != j && keys[i].substr(keys[i].rfind('.') + 1) == keys[j].substr(keys[j].rfind('.') + 1))
        shorter[i] = keys[i];
  return shorter;
}

CurveSet curves_of(const std::vector<CurveRun>& runs) {
  CurveSet set;
  const std::vector<KeyValues> keys = key_values(runs);
  set.x = x_key(keys);
  if (set.x.empty()) return set;
  for (const KeyValues& k : keys)
    if (k.key != set.x && k.key != kSeed && k.values.size() > 1) set.series_keys.push_back(k.key);

  std::vector<SeriesRuns> series;
  for (const CurveRun& run : runs) {
    const auto x = run.axes.find(set.x);
    if (x == run.axes.end()) continue;
    std::vector<std::string> values;
    for (const std::string& key : set.series_keys)
      values.push_back(run.axes.contains(key) ? value_text(run.axes[key]) : "–");
    auto found =
        std::find_if(series.begin(), series.end(), [&](const SeriesRuns& s) { return s.values == values; });
    if (found == series.end()) found = series.insert(series.end(), SeriesRuns{values, {}});
    found->by_x[x->get<double>()].push_back(&run);
  }

  const std::vector<std::string> names = short_keys(set.series_keys);
  for (const SeriesRuns& s : series) {
    Curve curve;
    curve.values = s.values;
    for (std::size_t i = 0; i < names.size(); ++i)
      curve.name += (i ? ", " : "") + names[i] + " " + s.values[i];
    for (const auto& [x, here] : s.by_x) curve.marks.push_back(mark_of(x, here));
    set.curves.push_back(std::move(curve));
  }
  return set;
}

std::vector<std::string> add_references(CurveSet& set, const std::vector<ReferenceCurve>& references) {
  std::vector<std::string> others;
  for (const ReferenceCurve& reference : references) {
    if (reference.x != set.x) {
      others.push_back(reference.name);
      continue;
    }
    Curve curve{reference.name, {}, {}};
    for (const auto& [x, value] : reference.points)
      curve.marks.push_back({x, 0, {{reference.metric, {value, std::nullopt, 0}}}});
    set.curves.push_back(std::move(curve));
  }
  return others;
}

}  // namespace flitmend
