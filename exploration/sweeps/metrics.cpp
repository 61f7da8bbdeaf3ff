// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/metrics.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "testbench/statistics/results.h"
#include "traces/waves/glob.h"

namespace flitmend {
namespace {

void flatten(const Json& node, const std::string& path, std::map<std::string, double>& metrics) {
  for (const auto& [key, value] : node.items()) {
    const std::string name = path.empty() ? key : path + "." + key;
    if (value.is_number())
      metrics[name] = value.get<double>();
    else if (value.is_object())
      flatten(value, name, metrics);
  }
}

class StatisticIndex final : public ResultsVisitor {
 public:
  void begin_section(const Statistic& s) override { path_.emplace_back(s.name); }
  void end_section() override { path_.pop_back(); }
  void begin_list(const Statistic&) override { ++in_list_; }
  void begin_element() override {}
  void end_element() override {}
  void end_list() override { --in_list_; }
  void value(const Statistic& s, std::uint64_t) override { add(s, true); }
  void value(const Statistic& s, double) override { add(s, true); }
  void value(const Statistic& s, bool) override { add(s, false); }
  void value(const Statistic& s, const std::string&) override { add(s, false); }
  void value(const Statistic&, const std::vector<std::uint64_t>&) override {}
  void undefined(const Statistic& s) override { add(s, true); }

  std::vector<KnownStatistic> statistics;

 private:
  void add(const Statistic& s, bool number) {
    if (in_list_) return;
    std::string name;
    for (const std::string& part : path_) name += part + ".";
    statistics.push_back(
        {name + std::string(s.name), std::string(s.unit), std::string(s.description), number});
  }

  std::vector<std::string> path_;
  int in_list_ = 0;
};

/// In the order of stats.json.
const std::vector<KnownStatistic>& known_statistics() {
  static const std::vector<KnownStatistic> statistics = [] {
    StatisticIndex index;
    complete_results().visit(index);
    return std::move(index.statistics);
  }();
  return statistics;
}

}  // namespace

std::map<std::string, double> metrics_of(const Json& stats) {
  std::map<std::string, double> metrics;
  for (const auto& [key, value] : stats.items())
    if (key != "host" && value.is_object()) flatten(value, key, metrics);
  return metrics;
}

const KnownStatistic* known_statistic(const std::string& name) {
  const auto& all = known_statistics();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string with_unit(const std::string& name) {
  const KnownStatistic* const known = known_statistic(name);
  return known && !known->unit.empty() ? name + " (" + known->unit + ")" : name;
}

const std::vector<std::string>& known_metrics() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> numbers;
    for (const KnownStatistic& s : known_statistics())
      if (s.number && s.name.find('.') != s.name.npos && !s.name.starts_with("host."))
        numbers.push_back(s.name);
    return numbers;
  }();
  return names;
}

std::string unknown_metric_name(const std::string& name) {
  const std::vector<std::string>& known = known_metrics();
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  const std::vector<std::string_view> views(known.begin(), known.end());
  return "unknown metric " + shown_value(name) + did_you_mean(name, views);
}

std::string unknown_metric(const std::string& glob) {
  const std::vector<std::string>& known = known_metrics();
  const bool matches = std::any_of(known.begin(), known.end(),
                                   [&](const std::string& name) { return glob_matches(glob, name); });
  return matches ? std::string() : unknown_metric_name(glob);
}

}  // namespace flitmend
