// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "exploration/sweeps/axis.h"
#include "exploration/sweeps/records.h"

namespace flitmend {

/// Finds where one curve saturates: a run at zero_load, loads upwards in steps until one is saturated, then
/// bisection until the highest unsaturated load and the lowest saturated load are within 1 %. A last run at
/// 1.3 times the saturation load, without drain, measures the throughput; if a node cannot inject that much,
/// it runs at the most that a node can inject. A load is saturated if accepted traffic is below .97 of
/// offered traffic, or if the mean total latency is above 3 times the zero-load latency. Each request depends
/// only on the answers so far.
class SaturationSearch {
 public:
  /// largest_load: the highest load that is requested, because nodes cannot inject more.
  explicit SaturationSearch(const SaturationAxis&,
                            double largest_load = std::numeric_limits<double>::infinity());

  struct Question {
    std::int64_t index = 0;  ///< of the point within the curve, from 0
    double load = 0;
    bool drain = true;  ///< as in the base configuration; false: no drain
  };
  /// The next point to run; none at the end.
  std::optional<Question> next() const;
  /// The result of that point.
  void answer(PointStatus, const std::map<std::string, double>& metrics);

  /// The result, once there is no next point. Point numbers are indices within the curve.
  const SaturationRecord& result() const { return result_; }
  /// Upper limit of the points of a curve.
  std::int64_t most_points() const;

 private:
  enum class Phase { zero_load, climb, halve, throughput, finished };

  double climb_load() const;
  std::int64_t climb_steps() const;
  void judge(double load, bool saturated);
  void halve_or_finish();
  void stop(SaturationStatus, std::string why);

  SaturationAxis axis_;
  double largest_load_;
  Phase phase_ = Phase::zero_load;
  std::int64_t index_ = 0;    ///< of the next point
  std::int64_t climbed_ = 0;  ///< steps
  double good_ = 0;           ///< highest unsaturated load
  std::int64_t good_index_ = 0;
  double bad_ = 0;  ///< lowest saturated load
  SaturationRecord result_;
};

/// The metrics that the search reads; a sweep with such an axis keeps them.
inline constexpr const char* kSearchMetrics[] = {"traffic.offered", "traffic.accepted", "latency.total.mean"};

}  // namespace flitmend
