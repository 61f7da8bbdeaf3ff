// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// The points of a state graph in the order in which depth-first search leaves them: each after the points
/// that follow it, unless a way leads back. Memory is reused from one graph to the next.
class PointOrder {
 public:
  /// With `absorptions` false, ways end where a message is absorbed.
  void find(const StateGraph&, bool absorptions = true);

  const std::vector<PointId>& points() const { return points_; }
  /// Whether some way leads back to a point.
  bool returns() const { return returns_; }
  /// The channels of one way that leads back; empty if there is none.
  const std::vector<ChannelId>& cycle() const { return cycle_; }

  /// Calls step(point), which returns whether it has changed something, for all points in order, once if no
  /// way leads back, else until nothing changes.
  template <class Step>
  void until_stable(Step&& step) const {
    bool changed = false;
    do {
      changed = false;
      for (const PointId p : points_) changed |= step(p);
    } while (changed && returns_);
  }

 private:
  struct Frame {
    PointId point;
    std::uint32_t next;
  };
  void note_cycle(const StateGraph&, PointId back_to);

  std::vector<PointId> points_;
  std::vector<char> mark_;
  std::vector<Frame> frames_;
  std::vector<ChannelId> cycle_;
  bool returns_ = false;
};

}  // namespace flitmend
