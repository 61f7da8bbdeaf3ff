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

/// Finds where one curve saturates: a run at next to no load, loads upwards in steps until one is saturated,
/// then halving until the highest load that is not and the lowest that is are within 1 %, and a last run at
/// 1.3 times the saturation load, without drain, for the throughput, or at all that a node can inject where
/// that is less. A load is saturated where accepted
/// falls below .97 of offered, or the mean total latency is above 3 times that at no load. What it asks next
/// depends on the answers alone.
class SaturationSearch {
 public:
  /// largest_load: no load above it is asked for, because nodes could not inject it.
  explicit SaturationSearch(const SaturationAxis&,
                            double largest_load = std::numeric_limits<double>::infinity());

  struct Question {
    std::int64_t index = 0;  ///< of the point within the curve, from 0
    double load = 0;
    bool drain = true;  ///< as the base configuration has it; else none
  };
  /// The next point to run; none at the end.
  std::optional<Question> next() const;
  /// The result of that point.
  void answer(PointStatus, const std::map<std::string, double>& metrics);

  /// What was found; once there is no next. Point numbers are indices within the curve.
  const SaturationRecord& result() const { return result_; }
  /// No curve has more points.
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
  double good_ = 0;           ///< highest load that is not saturated
  std::int64_t good_index_ = 0;
  double bad_ = 0;  ///< lowest load that is
  SaturationRecord result_;
};

/// The metrics that the search reads; a sweep with such an axis keeps them.
inline constexpr const char* kSearchMetrics[] = {"traffic.offered", "traffic.accepted", "latency.total.mean"};

}  // namespace flitmend
