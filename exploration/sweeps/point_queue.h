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

/// The record of a point from an earlier start; none if there is none.
using RecordedPoint = std::function<std::optional<PointRecord>(std::int64_t id)>;

/// Hands out the points of some units of a plan that are not recorded yet, in the order of their ids as far
/// as curves allow: the next point of a curve depends on the previous one.
class PointQueue {
 public:
  /// The plan must outlive this.
  PointQueue(const SweepPlan& plan, std::vector<std::int64_t> units, RecordedPoint recorded);

  /// None if there is none now; there may be one after finished().
  std::optional<PointRequest> next();
  /// Call once for every point handed out.
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
  std::size_t position_ = 0;  ///< index in units_
  std::size_t units_done_ = 0;
  std::map<std::int64_t, SaturationSearch> curves_;  ///< in progress, by unit
  std::vector<std::int64_t> ready_;                  ///< units whose next point can be handed out
  std::vector<SaturationRecord> ended_;
};

}  // namespace flitmend
