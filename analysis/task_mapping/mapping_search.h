// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// What one task sends to another, in any unit.
struct TaskTraffic {
  std::uint32_t from = 0, to = 0;  ///< tasks
  double weight = 0;
};

/// The node of each task; no two tasks have the same.
using TaskPlaces = std::vector<NodeId>;

/// Tasks that are to be mapped onto the nodes of a network.
struct MappingProblem {
  const Topology& topology;
  std::uint32_t tasks = 0;  ///< at most the nodes
  std::vector<TaskTraffic> traffic;
};

/// Sum over the traffic of weight times distance in hops.
double mapping_cost(const MappingProblem&, const TaskPlaces&);

struct MappingSearch {
  std::uint64_t seed = 1;
  std::uint32_t restarts = 20;           ///< 0: the best mapping is the first random one
  std::uint32_t random_mappings = 1000;  ///< to compare with, at least 1
};

struct MappingResults {
  TaskPlaces best;
  double cost = 0;
  std::vector<double> restarts;  ///< cost of the best mapping of each
  double random_mean = 0, random_best = 0;
};

/// Searches the mapping with the lowest cost by simulated annealing: a move takes a task to another node, and
/// the task that is there to its node. Each restart begins with a random mapping, cools from the temperature
/// at which most moves are accepted, and ends with a descent to a local minimum. The results depend on the
/// problem and the search alone.
MappingResults search_mapping(const MappingProblem&, const MappingSearch&);

}  // namespace flitmend
