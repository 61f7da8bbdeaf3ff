// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flitmend {

/// One finished run of a sweep.
struct CurveRun {
  nlohmann::ordered_json axes;  ///< dotted key to value
  std::map<std::string, double> metrics;
};

/// A metric of runs that differ only in their seed.
struct CurveValue {
  double mean = 0;
  /// Half width of the mean's 95 % confidence interval: for several runs by Student's t over them, for one
  /// run the metric's own ci95 (latency.total.ci95 for latency.total.mean); none if there is neither.
  std::optional<double> half_width;
  unsigned runs = 0;  ///< runs that define the metric
};

struct CurveMark {
  double x = 0;
  unsigned runs = 0;
  std::map<std::string, CurveValue> values;  ///< by metric
};

struct Curve {
  std::string name;                 ///< "virtual_channels 4, algorithm duato"; empty if there is only one
  std::vector<std::string> values;  ///< values of CurveSet::series_keys
  std::vector<CurveMark> marks;     ///< x ascending
};

struct CurveSet {
  std::string x;                         ///< dotted key; empty: no axis makes a curve
  std::vector<std::string> series_keys;  ///< keys in which the curves differ
  std::vector<Curve> curves;             ///< in the order of their first runs
};

/// Numbers to compare curves with, from elsewhere.
struct ReferenceCurve {
  std::string name;
  std::string x;  ///< dotted key
  std::string metric;
  std::vector<std::pair<double, double>> points;  ///< value of the key, number
};

/// Adds those over the same key as curves of their own. Returns the names of the others.
std::vector<std::string> add_references(CurveSet&, const std::vector<ReferenceCurve>&);

/// Curves over traffic.load if it varies, else over the first key with different numeric values. One curve
/// per combination of the other keys; runs that differ only in simulation.seed are averaged.
CurveSet curves_of(const std::vector<CurveRun>&);

/// Keys without the part before the last dot if they remain distinct, else unchanged.
std::vector<std::string> short_keys(const std::vector<std::string>&);

}  // namespace flitmend
