// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "base/survey_progress.h"
#include "protocols/deadlock/state_graph.h"
#include "protocols/routing/destination_classes.h"

namespace flitmend {

/// One state graph that stands for those of all destinations, in a network without faults: a point is a
/// router with a class of destinations there and h. A channel leads to a point of every class at its end that
/// the destinations can be of. Every route of a message is a path of this graph, so what holds for all of its
/// paths holds for all messages. Where classes are coarse, some of its paths may be no message's.
class ClassGraph {
 public:
  /// Throws ContractError if a sample contradicts the classes. Reports routers to the listener.
  ClassGraph(const RoutingFunction&, const DestinationClasses&, const ChannelMap&, SurveyListener* = nullptr);
  /// About the memory that it takes.
  static std::uint64_t bytes_for(const RoutingFunction&, const DestinationClasses&);

  /// State::arrival, points and edges; no sources, no destination.
  const StateGraph& graph() const { return graph_; }
  /// Whether every path ends where the message is consumed, at its destination. `order`: of this graph.
  bool all_arrive(const PointOrder& order) const;

 private:
  /// A class at a router: the number of its first representative.
  using ClassId = std::uint32_t;

  void find_classes();
  void add_sources(RouterId);
  void expand(PointId);
  PointId point_at(ClassId, RouterId, std::uint64_t h);
  StateId state_at(ChannelId arrival, PointId);

  const RoutingFunction& routing_;
  const DestinationClasses& classes_;
  const ChannelMap& channels_;
  StateGraph graph_;
  bool absorbs_ = false;  ///< somewhere else than at the destination
  std::vector<NodeId> representatives_;
  std::vector<ClassId> first_class_;  ///< by router, and one more: its first representative
  std::vector<ClassId> first_like_;   ///< by representative: its class
  /// By network port of all routers and representative at its far end: the class at this end.
  std::vector<ClassId> before_;
  std::vector<std::size_t> first_before_;  ///< by network port of all routers
  std::vector<std::size_t> first_port_;    ///< by router
  std::vector<ClassId> class_of_;          ///< by point
  std::vector<std::uint64_t> h_of_;        ///< by point
  std::vector<PointId> first_of_class_;    ///< by class
  std::vector<PointId> next_of_class_;     ///< by point
  std::vector<StateId> first_arrival_;     ///< by point
  std::vector<StateId> next_arrival_;      ///< by state
  std::vector<RouteCandidate> scratch_;
};

/// The classes that a routing function declares (DestinationClasses), if a router has fewer of them than
/// there are nodes; else null.
const DestinationClasses* few_classes(const RoutingFunction&);

/// What contradicts the classes on one route of a message, chosen at random; empty: nothing.
std::string class_contradiction(const RoutingFunction&, const DestinationClasses&, NodeId source,
                                NodeId destination, RandomStream&);

}  // namespace flitmend
