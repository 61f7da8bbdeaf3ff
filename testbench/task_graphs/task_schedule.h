// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "testbench/task_graphs/task_graph.h"
#include "traces/message_schedule.h"

namespace flitmend {

struct TaskGraphResults;

/// How a task graph is executed.
struct TaskExecution {
  std::uint64_t iterations = 1;
  std::uint32_t overlap = 1;     ///< iterations under way at the same time, at most
  std::uint32_t flit_bytes = 8;  ///< of a link
};

/// Executes a task graph. In each iteration every task fires once: when it has a token on each input and has
/// ended its previous firing, it computes on its node, then sends the messages of its outputs in the order of
/// the file. The tasks of a node take turns, the one that is ready first comes first; of those that are ready
/// in the same cycle, the first of the file. A message that arrives in cycle t counts from cycle t + 1 on;
/// one that is abandoned or lost never does, so the tasks that need it never fire again.
///
/// Memory: overlap numbers for each edge, and the messages under way.
class TaskSchedule final : public MessageSchedule {
 public:
  /// The graph outlives this. nodes: of each task. node_count: of the network.
  TaskSchedule(const TaskGraph&, const std::vector<NodeId>& nodes, const TaskExecution&, NodeId node_count);

  std::optional<Packet> pop(Cycle now) override;
  Cycle next_cycle() const override;
  void delivered(Handle, Cycle) override;
  void undeliverable(Handle, Cycle) override;
  /// Nothing computes, no message is under way, and so nothing will happen any more.
  bool finished() const override { return in_flight_ == 0 && outbox_.empty() && events_.empty(); }
  /// The tasks of that node end no firing from that cycle on.
  void stop_node(NodeId node, Cycle cycle);

  std::uint64_t undeliverable_count() const { return undeliverable_; }
  TaskGraphResults results() const;

 private:
  struct TaskState {
    NodeId node = 0;
    std::uint64_t ended = 0;  ///< firings
    bool waits_for_node = false;
    bool computes = false;
    std::vector<std::uint32_t> inputs, outputs;  ///< edges, in the order of the file
  };
  struct EdgeState {
    std::uint32_t length = 0;            ///< flits of a message
    std::uint64_t arrived = 0;           ///< firings all of whose messages, and those before, have arrived
    std::vector<std::uint32_t> missing;  ///< messages of each iteration under way
    std::vector<std::uint32_t> lost;     ///< of these, those that will not arrive
  };
  struct NodeState {
    std::optional<TaskId> computing;
    Cycle stop = kNever;
    using Turn = std::pair<Cycle, TaskId>;  ///< since when a task is ready
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
  };
  /// Those of one cycle take place in this order.
  enum class Step : std::uint8_t { token, end, start };
  struct Event {
    Cycle cycle;
    Step step;
    std::uint32_t index;  ///< an edge or a node
    std::uint64_t iteration;
    auto operator<=>(const Event&) const = default;
  };
  struct Sent {
    std::uint32_t edge = 0;
    std::uint64_t iteration = 0;
    bool in_flight = false;
  };

  void take_place(const Event&);
  void token_arrives(const Event&);
  void end_firing(NodeId, Cycle);
  void start_firing(NodeId, Cycle);
  void send(std::uint32_t edge, std::uint64_t iteration, Cycle);
  void look(TaskId, Cycle);
  void part_ended(std::uint64_t iteration, Cycle);
  const Sent& take(Handle);
  std::string state_text(TaskId) const;
  std::string missing() const;

  const TaskGraph& graph_;
  TaskExecution execution_;
  std::uint64_t parts_ = 0;  ///< of an iteration: tasks and messages
  std::vector<TaskState> tasks_;
  std::vector<EdgeState> edges_;
  std::vector<NodeState> nodes_;
  std::vector<std::uint64_t> parts_left_;  ///< of each iteration under way
  std::uint64_t complete_ = 0;             ///< iterations
  Cycle first_complete_ = 0, last_complete_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::deque<Packet> outbox_;
  std::vector<Sent> sent_;  ///< by handle
  std::vector<Handle> free_;
  std::uint64_t in_flight_ = 0, messages_ = 0, undeliverable_ = 0;
};

}  // namespace flitmend
