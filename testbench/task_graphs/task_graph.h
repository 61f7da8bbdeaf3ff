// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/settings.h"
#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"

namespace flitmend {

using TaskId = std::uint32_t;  ///< the place of a task in the list, from 0

struct Task {
  std::string name;
  Cycle cycles = 0;  ///< that it computes, per iteration
  Place place = {};
};

/// What one task sends to another in each iteration. A firing of the first task makes a token, which the
/// second task has when all messages of the firing have arrived.
struct TaskEdge {
  std::string name;
  TaskId from = 0, to = 0;
  std::uint32_t bytes = 0;     ///< payload of each message
  std::uint32_t messages = 1;  ///< per iteration
  std::uint32_t tokens = 0;    ///< that the second task has at the start
  double weight = 0;           ///< MB/s if the graph has a period, else bytes per iteration
  Place place = {};
  std::string message_class = {};  ///< of its messages; empty: none
  Place class_place = {};          ///< where that is given, else that of the edge
};

/// The name of a task and a text that names its node.
struct MappedTask {
  std::string task;
  std::string node;
  Place place;
};

struct TaskGraph {
  std::vector<Task> tasks;
  std::vector<TaskEdge> edges;
  std::vector<MappedTask> mapping;  ///< that the file has; may be empty
  bool has_period = false;
  std::string file;
};

/// Reads a graph from YAML; docs/workloads.md has its format. Refuses a cycle in which no edge has a token.
/// Throws ConfigurationError with file, line and column.
TaskGraph read_task_graph(const std::string& file);

/// Reads a file that has only a mapping.
std::vector<MappedTask> read_task_mapping(const std::string& file);

/// The text of such a file: the node of each task. `remark`: lines of its beginning, each with a '#'.
std::string task_mapping_text(const TaskGraph&, const std::vector<NodeId>& nodes, const std::string& remark);

/// The node of each task. `mapping_file`: the file of the mapping, for errors. Throws ConfigurationError if a
/// task has none, or the mapping names something that does not exist.
std::vector<NodeId> nodes_of_tasks(const TaskGraph&, const std::vector<MappedTask>& mapping,
                                   const std::string& mapping_file, const Topology&,
                                   const std::vector<AddressMapEntry>&);

}  // namespace flitmend
