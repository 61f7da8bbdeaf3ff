// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/point_order.h"

#include <algorithm>

namespace flitmend {

void PointOrder::find(const StateGraph& g, bool absorptions) {
  enum : char { unseen, open, left };
  points_.clear();
  cycle_.clear();
  returns_ = false;
  mark_.assign(g.points.size(), unseen);
  const auto enter = [&](PointId p) {
    mark_[p] = open;
    frames_.push_back({p, 0});
  };
  for (PointId root = 0; root < g.points.size(); ++root) {
    if (mark_[root] != unseen) continue;
    enter(root);
    while (!frames_.empty()) {
      const PointId p = frames_.back().point;
      const auto edges = g.edges_of(p);
      if (frames_.back().next == edges.size()) {
        mark_[p] = left;
        points_.push_back(p);
        frames_.pop_back();
        continue;
      }
      const StateGraph::Edge& edge = edges[frames_.back().next++];
      if (edge.channel == kNoChannel && !absorptions) continue;
      const PointId q = g.states[edge.next].point;
      if (mark_[q] == unseen) {
        enter(q);
      } else if (mark_[q] == open) {
        if (!returns_) note_cycle(g, q);
        returns_ = true;
      }
    }
  }
}

void PointOrder::note_cycle(const StateGraph& g, PointId back_to) {
  auto frame =
      std::find_if(frames_.begin(), frames_.end(), [&](const Frame& f) { return f.point == back_to; });
  for (; frame != frames_.end(); ++frame)
    if (const ChannelId c = g.edges_of(frame->point)[frame->next - 1].channel; c != kNoChannel)
      cycle_.push_back(c);
}

}  // namespace flitmend
