// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "protocols/deadlock/channels.h"
#include "topologies/fault_set.h"

namespace flitmend {

using StateId = std::uint32_t;
using PointId = std::uint32_t;

/// Every state (node, input channel, head state h) that a head for one destination can be in, from all
/// sources and all initial h, and what it may take next.
///
/// States of one router with the same candidates share a *point*.
struct StateGraph {
  struct State {
    ChannelId arrival;  ///< kNoChannel: just injected
    PointId point;
    std::uint64_t h;
  };
  struct Edge {
    ChannelId channel;  ///< kNoChannel: absorbed here and injected again
    StateId next;
    bool escape;
  };
  struct Point {
    RouterId here;
    bool consumed;  ///< the message can leave the network here: at its destination, or by absorption
    std::uint32_t first_edge;
    std::uint32_t edge_count;
  };

  NodeId destination = 0;
  std::vector<State> states;
  std::vector<Point> points;
  std::vector<Edge> edges;
  std::vector<StateId> sources;  ///< the states in which messages start

  std::span<const Edge> edges_of(PointId p) const {
    return {edges.data() + points[p].first_edge, points[p].edge_count};
  }
  std::span<const Edge> edges_of_state(StateId s) const { return edges_of(states[s].point); }
  bool at_destination(PointId p) const { return points[p].here == destination; }
};

/// The fault status bits of a router's ports with a set of faults.
class PortsOfRouter final : public PortStatus {
 public:
  PortsOfRouter(const FaultSet& faults, RouterId router) : faults_(faults), router_(router) {}
  bool faulty(PortId port) const override { return faults_.blocked(router_, port); }

 private:
  const FaultSet& faults_;
  RouterId router_;
};

/// Builds the state graphs of a routing function, one destination after the other. With faults, the channels
/// that they block do not exist, and there are no messages from or to faulty nodes.
class StateExplorer {
 public:
  static constexpr std::size_t kAllStates = std::numeric_limits<std::size_t>::max();

  /// The routing function already knows the faults (update_faults). Exploration stops when a graph has more
  /// than `most_states`.
  /// `uncrossed`: more channels that no message takes, although the routing function sees no fault there.
  StateExplorer(const RoutingFunction&, const ChannelMap&, const FaultSet* faults = nullptr,
                std::size_t most_states = kAllStates, const FaultSet* uncrossed = nullptr);

  /// The graph of one destination, of messages from all nodes or from one, valid until the next call.
  const StateGraph& explore(NodeId destination, std::optional<NodeId> only_source = std::nullopt);
  /// The same, plus heads that took other routes and now wait in healthy routers.
  const StateGraph& explore(NodeId destination, std::span<const StateGraph::State> heads);
  /// Whether that graph is complete.
  bool complete() const { return graph_.states.size() <= most_states_; }
  /// Whether a node sends and receives.
  bool alive(NodeId node) const { return !faults_ || !faults_->router_faulty(node); }

 private:
  void begin(NodeId destination, std::optional<NodeId> only_source);
  const StateGraph& expand_all();
  StateId state_at(ChannelId arrival, RouterId here, std::uint64_t h);
  /// The point of a head that arrives at a router on that channel.
  PointId point_of(ChannelId arrival, RouterId here, std::uint64_t h);
  PointId point_with_candidates(RouterId here);
  void expand(PointId);

  const RoutingFunction& routing_;
  const ChannelMap& channels_;
  const FaultSet* faults_;
  const std::size_t most_states_;
  const FaultSet* uncrossed_;
  StateGraph graph_;
  std::vector<StateId> first_of_slot_;  // by arrival channel, then by node for injected messages
  std::vector<StateId> next_in_slot_;   // by state
  /// Heads whose point is known, by router; only if the routing function does not look at arrivals.
  struct Known {
    std::uint64_t h;
    PointId point;
    std::uint32_t next;
  };
  bool looks_at_arrival_;
  std::vector<std::uint32_t> first_known_;
  std::vector<Known> known_;
  std::vector<PointId> first_of_router_;
  std::vector<PointId> next_of_router_;  // by point
  std::vector<RouteCandidate> point_candidates_;
  std::vector<std::size_t> first_candidate_;  // by point, plus one
  std::vector<RouteCandidate> scratch_;
  unsigned scratch_size_ = 0;
  std::vector<StateGraph::Edge> new_edges_;
};

/// The points of a state graph in the post-order of a depth-first search: each after the points that follow
/// it, unless there is a cycle. Memory is reused from one graph to the next.
class PointOrder {
 public:
  /// With `absorptions` false, paths end where a message is absorbed.
  void find(const StateGraph&, bool absorptions = true);

  const std::vector<PointId>& points() const { return points_; }
  /// Whether there is a cycle.
  bool returns() const { return returns_; }
  /// The channels of one cycle; empty if there is none.
  const std::vector<ChannelId>& cycle() const { return cycle_; }

  /// Calls step(point), which returns whether it has changed something, for all points in order: once if
  /// there is no cycle, else until nothing changes.
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
