// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/saturation_search.h"

namespace flitmend {

/// What is recorded of a point from an earlier start; none where nothing is.
using RecordedPoint = std::function<std::optional<PointRecord>(std::int64_t id)>;

/// Hands out the points of some units of a plan that are not recorded yet, in the order of their identifiers
/// as far as curves allow: the next point of a curve depends on the one before.
class PointQueue {
 public:
  /// The plan outlives this.
  PointQueue(const SweepPlan& plan, std::vector<std::int64_t> units, RecordedPoint recorded);

  /// None where there is none now; there may be one after finished().
  std::optional<PointRequest> next();
  /// Every point handed out is answered once.
  void finished(const PointRecord&);
  /// The curves that have ended since the last call.
  std::vector<SaturationRecord> take_curves() { return std::exchange(ended_, {}); }

  std::size_t units() const { return units_.size(); }
  std::size_t units_done() const { return units_done_; }

 private:
  std::optional<PointRequest> next_of_curve(std::int64_t unit, SaturationSearch&);
  void end_curve(std::int64_t unit, const SaturationSearch&);

  const SweepPlan& plan_;
  std::vector<std::int64_t> units_;
  RecordedPoint recorded_;
  std::size_t position_ = 0;  ///< in units_
  std::size_t units_done_ = 0;
  std::map<std::int64_t, SaturationSearch> curves_;  ///< under way, by unit
  std::vector<std::int64_t> ready_;                  ///< units whose next point can be asked for
  std::vector<SaturationRecord> ended_;
};

}  // namespace flitmend
