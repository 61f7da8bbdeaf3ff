// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
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

/// An axis of the sweep with more than one value.
struct CurveAxis {
  std::vector<std::string> keys;    ///< dotted; several are zipped: they change together
  std::string name;                 ///< the keys, as short as they remain distinct
  std::vector<std::string> values;  ///< as the sweep file has them; "–" of runs without the keys
  /// The same as numbers, where curves can run along this axis: it has one key, whose values are numbers.
  /// Empty otherwise; none of runs without the key.
  std::vector<std::optional<double>> numbers;
};

/// The runs that differ only in their seed.
struct CurveMark {
  std::vector<std::size_t> at;  ///< by axis, the index of its value
  unsigned runs = 0;
  std::map<std::string, CurveValue> values;  ///< by metric
};

/// What curves are made of: along one axis, a curve per combination of the others.
struct CurveSet {
  std::vector<CurveAxis> axes;  ///< in the order of the sweep
  /// The axis along which curves run first: traffic.load, else the first with numbers; none: there are no
  /// curves.
  std::optional<std::size_t> x;
  std::vector<CurveMark> marks;  ///< in the order of their first runs
};

/// `axes`: the keys of each axis of the sweep. Keys that only the runs have are axes of their own. Runs that
/// differ only in simulation.seed are averaged.
CurveSet curves_of(const std::vector<CurveRun>&, const std::vector<std::vector<std::string>>& axes = {});

/// Keys without the part before the last dot if they remain distinct, else unchanged.
std::vector<std::string> short_keys(const std::vector<std::string>&);

/// A value of an axis as the sweep file has it: {topology: mesh, size: [8, 8]}.
std::string axis_value_text(const nlohmann::ordered_json&);

}  // namespace flitmend
