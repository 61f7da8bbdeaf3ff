// SPDX-License-Identifier: Apache-2.0
#include "testbench/task_graphs/task_schedule.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "testbench/statistics/task_graph_results.h"
#include "traces/netrace/format.h"

namespace flitmend {

TaskSchedule::TaskSchedule(const TaskGraph& graph, const std::vector<NodeId>& nodes,
                           const TaskExecution& execution, NodeId node_count)
    : graph_(graph),
      execution_(execution),
      parts_(graph.tasks.size()),
      tasks_(graph.tasks.size()),
      edges_(graph.edges.size()),
      nodes_(node_count) {
  execution_.overlap =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(execution.overlap, execution.iterations));
  for (std::uint32_t e = 0; e < edges_.size(); ++e) {
    const TaskEdge& edge = graph.edges[e];
    edges_[e].length = flits_of_bytes(edge.bytes, execution.flit_bytes);
    edges_[e].missing.assign(execution_.overlap, edge.messages);
    edges_[e].lost.assign(execution_.overlap, 0);
    parts_ += edge.messages;
    tasks_[edge.from].outputs.push_back(e);
    tasks_[edge.to].inputs.push_back(e);
  }
  parts_left_.assign(execution_.overlap, parts_);
  for (TaskId task = 0; task < tasks_.size(); ++task) tasks_[task].node = nodes[task];
  for (TaskId task = 0; task < tasks_.size(); ++task) look(task, 0);
}

void TaskSchedule::look(TaskId task, Cycle cycle) {
  TaskState& state = tasks_[task];
  if (state.waits_for_node || state.computes) return;
  if (state.ended >= std::min(execution_.iterations, complete_ + execution_.overlap)) return;
  for (const std::uint32_t e : state.inputs)
    if (edges_[e].arrived + graph_.edges[e].tokens <= state.ended) return;
  state.waits_for_node = true;
  nodes_[state.node].turns.push({cycle, task});
  events_.push({cycle, Step::start, state.node, 0});
}

void TaskSchedule::start_firing(NodeId node, Cycle cycle) {
  NodeState& state = nodes_[node];
  if (state.computing || state.turns.empty() || cycle >= state.stop) return;
  const TaskId task = state.turns.top().second;
  state.turns.pop();
  state.computing = task;
  tasks_[task].waits_for_node = false;
  tasks_[task].computes = true;
  events_.push({cycle + graph_.tasks[task].cycles, Step::end, node, 0});
}

void TaskSchedule::end_firing(NodeId node, Cycle cycle) {
  NodeState& state = nodes_[node];
  if (cycle >= state.stop) return;
  const TaskId task = *state.computing;
  state.computing.reset();
  tasks_[task].computes = false;
  const std::uint64_t iteration = tasks_[task].ended++;
  for (const std::uint32_t e : tasks_[task].outputs) send(e, iteration, cycle);
  part_ended(iteration, cycle);
  look(task, cycle);
  events_.push({cycle, Step::start, node, 0});
}

void TaskSchedule::send(std::uint32_t e, std::uint64_t iteration, Cycle cycle) {
  const TaskEdge& edge = graph_.edges[e];
  for (std::uint32_t i = 0; i < edge.messages; ++i) {
    auto handle = static_cast<Handle>(sent_.size());
    if (free_.empty()) {
      sent_.emplace_back();
    } else {
      handle = free_.back();
      free_.pop_back();
    }
    sent_[handle] = {e, iteration, true};
    ++in_flight_;
    outbox_.push_back({.handle = handle,
                       .source = tasks_[edge.from].node,
                       .destination = tasks_[edge.to].node,
                       .length = edges_[e].length,
                       .bytes = edge.bytes,
                       .ready = cycle,
                       .id = static_cast<std::uint32_t>(messages_++),
                       .flow = e});
  }
}

void TaskSchedule::token_arrives(const Event& event) {
  EdgeState& edge = edges_[event.index];
  --edge.missing[event.iteration % execution_.overlap];
  for (std::uint64_t i = edge.arrived; edge.missing[i % execution_.overlap] == 0; i = edge.arrived) {
    edge.missing[i % execution_.overlap] = graph_.edges[event.index].messages;
    ++edge.arrived;
  }
  part_ended(event.iteration, event.cycle);
  look(graph_.edges[event.index].to, event.cycle);
}

/// A task or a message of an iteration has ended in the cycle before.
void TaskSchedule::part_ended(std::uint64_t iteration, Cycle cycle) {
  if (--parts_left_[iteration % execution_.overlap] > 0 || iteration != complete_) return;
  while (complete_ < execution_.iterations && parts_left_[complete_ % execution_.overlap] == 0) {
    parts_left_[complete_ % execution_.overlap] = parts_;
    last_complete_ = cycle > 0 ? cycle - 1 : 0;
    if (complete_++ == 0) first_complete_ = last_complete_;
  }
  for (TaskId task = 0; task < tasks_.size(); ++task) look(task, cycle);
}

void TaskSchedule::take_place(const Event& event) {
  switch (event.step) {
    case Step::token:
      token_arrives(event);
      break;
    case Step::end:
      end_firing(event.index, event.cycle);
      break;
    case Step::start:
      start_firing(event.index, event.cycle);
      break;
  }
}

std::optional<MessageSchedule::Packet> TaskSchedule::pop(Cycle now) {
  while (outbox_.empty() && !events_.empty() && events_.top().cycle <= now) {
    const Event event = events_.top();
    events_.pop();
    take_place(event);
  }
  if (outbox_.empty()) return std::nullopt;
  const Packet packet = outbox_.front();
  outbox_.pop_front();
  return packet;
}

Cycle TaskSchedule::next_cycle() const {
  if (!outbox_.empty()) return outbox_.front().ready;
  return events_.empty() ? kNever : events_.top().cycle;
}

const TaskSchedule::Sent& TaskSchedule::take(Handle handle) {
  if (handle >= sent_.size() || !sent_[handle].in_flight)
    throw ContractError(formatted(
        "a message of a task that is not in the network was reported as delivered (handle %1%)", handle));
  sent_[handle].in_flight = false;
  free_.push_back(handle);
  --in_flight_;
  return sent_[handle];
}

void TaskSchedule::delivered(Handle handle, Cycle now) {
  const Sent& sent = take(handle);
  events_.push({now + 1, Step::token, sent.edge, sent.iteration});
}

void TaskSchedule::undeliverable(Handle handle, Cycle) {
  const Sent& sent = take(handle);
  ++edges_[sent.edge].lost[sent.iteration % execution_.overlap];
  ++undeliverable_;
}

void TaskSchedule::stop_node(NodeId node, Cycle cycle) {
  nodes_[node].stop = std::min(nodes_[node].stop, cycle);
}

std::string TaskSchedule::state_text(TaskId task) const {
  const TaskState& state = tasks_[task];
  if (state.ended == execution_.iterations) return "";
  if (nodes_[state.node].stop != kNever) return "its node has died";
  std::vector<std::string> missing;
  for (const std::uint32_t e : state.inputs)
    if (edges_[e].arrived + graph_.edges[e].tokens <= state.ended) missing.push_back(graph_.edges[e].name);
  if (!missing.empty()) return "waits for " + joined(missing);
  if (state.computes) return "computes";
  if (state.waits_for_node) return "waits for its node";
  return formatted("waits for iteration %1% to be complete", complete_);
}

/// An iteration begins when enough of those before are complete, so only messages and tasks of its own can be
/// what it lacks.
std::string TaskSchedule::missing() const {
  constexpr std::size_t kMost = 3;
  if (complete_ == execution_.iterations) return "";
  std::vector<std::string> causes;
  for (TaskId task = 0; task < tasks_.size(); ++task)
    if (tasks_[task].ended <= complete_ && nodes_[tasks_[task].node].stop != kNever)
      causes.push_back(
          formatted("task %1% is on the dead node %2%", graph_.tasks[task].name, tasks_[task].node));
  for (std::uint32_t e = 0; e < edges_.size(); ++e)
    if (const std::uint32_t lost = edges_[e].lost[complete_ % execution_.overlap]; lost > 0)
      causes.push_back(counted(lost, "message") + " of " + graph_.edges[e].name +
                       (lost == 1 ? " is" : " are") + " lost");
  if (causes.empty()) return "";
  if (const std::size_t all = causes.size(); all > kMost) {
    causes.resize(kMost);
    causes.push_back(formatted("%1% more causes", all - kMost));
  }
  return formatted("iteration %1%: ", complete_) + joined(causes, "; ");
}

TaskGraphResults TaskSchedule::results() const {
  TaskGraphResults r;
  r.iterations = execution_.iterations;
  r.complete = complete_;
  r.missing = missing();
  if (complete_ > 0) r.first = first_complete_;
  if (complete_ == execution_.iterations) r.makespan = last_complete_;
  if (last_complete_ > first_complete_)
    r.throughput = static_cast<double>(complete_ - 1) / static_cast<double>(last_complete_ - first_complete_);
  for (TaskId task = 0; task < tasks_.size(); ++task)
    r.tasks.push_back({.name = graph_.tasks[task].name,
                       .node = tasks_[task].node,
                       .firings = tasks_[task].ended,
                       .busy = tasks_[task].ended * graph_.tasks[task].cycles,
                       .unfinished = state_text(task)});
  return r;
}

}  // namespace flitmend
