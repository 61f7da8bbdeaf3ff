// SPDX-License-Identifier: Apache-2.0
// Task graphs: tasks on nodes that compute and send, iteration by iteration.
#include <algorithm>

#include "base/escaped_text.h"
#include "base/text.h"
#include "testbench/elements/message_player.h"
#include "testbench/statistics/results.h"
#include "testbench/task_graphs/task_graph.h"
#include "testbench/task_graphs/task_schedule.h"
#include "testbench/traffic/length.h"
#include "testbench/workloads/refused_keys.h"
#include "testbench/workloads/workload.h"
#include "traces/netrace/format.h"

namespace flitmend {
namespace {

constexpr OptionKey kTaskGraphOption{
    .key = {"task_graph", "",
            "Task graph to execute, instead of synthetic traffic: a YAML file; docs/workloads.md.", kAlways},
    .values = OptionKey::Text{}};
constexpr OptionKey kTaskMappingOption{
    .key = {"task_mapping", "", "File with the node of each task, instead of the mapping of the graph.",
            KeyEffect::only_if_given("traffic.task_graph")},
    .values = OptionKey::Text{}};
constexpr OptionKey kIterationsOption{.key = {"iterations", "", "Iterations of the task graph.",
                                              KeyEffect::only_if_given("traffic.task_graph")},
                                      .values = OptionKey::Number{.initial = 1, .range = {1, 1'000'000'000}}};
constexpr OptionKey kOverlapOption{
    .key = {"overlap", "", "Iterations of the task graph that are under way at the same time, at most.",
            KeyEffect::only_if_given("traffic.task_graph")},
    .values = OptionKey::Number{.initial = 16, .range = {1, 1024}}};

std::string graph_of(const TrafficSettings& traffic) {
  return traffic.options.word(kTaskGraphOption);
}
std::string mapping_of(const TrafficSettings& traffic) {
  return traffic.options.word(kTaskMappingOption);
}

std::vector<NodeId> mapped_nodes(const TaskGraph& graph, const Configuration& c, const Topology& topology) {
  const std::string file = mapping_of(c.traffic);
  return nodes_of_tasks(graph, file.empty() ? graph.mapping : read_task_mapping(file),
                        file.empty() ? graph.file : file, topology, c.tlm.address_map);
}

TaskExecution execution_of(const TrafficSettings& traffic, std::uint32_t flit_bytes) {
  return {.iterations = static_cast<std::uint64_t>(traffic.options.number(kIterationsOption)),
          .overlap = static_cast<std::uint32_t>(traffic.options.number(kOverlapOption)),
          .flit_bytes = flit_bytes};
}

/// The edges: what messages are counted by.
std::vector<FlowDescription> descriptions(const TaskGraph& graph, const TrafficSettings& traffic) {
  std::vector<FlowDescription> flows;
  for (const TaskEdge& edge : graph.edges)
    flows.push_back({.name = edge.name,
                     .message_class = edge.message_class,
                     .class_place = edge.class_place,
                     .bytes = edge.bytes});
  give_class(flows, traffic);
  return flows;
}

class TaskGraphWorkload final : public Workload {
 public:
  explicit TaskGraphWorkload(const WorkloadUse& use)
      : graph_(read_task_graph(graph_of(use.configuration.traffic))),
        flows_(descriptions(graph_, use.configuration.traffic)),
        schedule_(
            graph_, mapped_nodes(graph_, use.configuration, use.network.topology()),
            execution_of(use.configuration.traffic, use.network.fabric().context().hardware.link.flit_bytes),
            use.network.topology().node_count()),
        player_("player", use.network.fabric(), use.payloads, schedule_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)) {
    for (const NodeId node : use.network.dead_nodes()) schedule_.stop_node(node, 0);
  }

  bool done() const override { return schedule_.finished(); }
  std::uint64_t failed() const override { return schedule_.undeliverable_count(); }
  void node_died(NodeId node, Cycle cycle) override { schedule_.stop_node(node, cycle + 1); }
  std::span<const FlowDescription> flows() const override { return flows_; }
  std::uint32_t flow_sent(NodeId node) const override { return player_.flow_sent(node); }
  void set_classes(const std::vector<std::uint8_t>& by_flow) override { player_.set_classes(by_flow); }
  std::string incomplete() const override;
  void fill(Results& results) const override { results.task_graph = schedule_.results(); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }

 private:
  TaskGraph graph_;
  std::vector<FlowDescription> flows_;
  TaskSchedule schedule_;
  MessagePlayer player_;
};

std::string TaskGraphWorkload::incomplete() const {
  const TaskGraphResults r = schedule_.results();
  if (r.complete == r.iterations) return "";
  return formatted("%1% of %2% %3% complete", r.complete, counted(r.iterations, "iteration"),
                   r.iterations == 1 ? "is" : "are") +
         (r.missing.empty() ? "" : "; " + escaped_text(r.missing));
}

/// What `read` returns. A file that cannot be read at all is an error of the key that names it.
template <class Read>
auto read_for(const char* key, const Read& read) {
  try {
    return read();
  } catch (const KeyError&) {
    throw;
  } catch (const ConfigurationError& error) {
    if (error.place()) throw;
    throw KeyError(key, std::string(error.what()) + "; name another file");
  }
}

LongestMessage check_task_graph(const Configuration& c, const Topology& topology,
                                const HardwareParameters& hardware) {
  refuse_keys(c, c.traffic,
              {{"traffic.task_graph", {}},
               {"traffic.task_mapping", {}},
               {"traffic.iterations", {}},
               {"traffic.overlap", {}},
               {"traffic.load", "0"},
               {"traffic.clock_mhz", {}}},
              "with traffic.task_graph, which says what is sent");
  refuse_phases(c, "with traffic.task_graph: a run lasts and is measured from cycle 0 to the last iteration");
  const TaskGraph graph =
      read_for("traffic.task_graph", [&] { return read_task_graph(graph_of(c.traffic)); });
  read_for("traffic.task_mapping", [&] { return mapped_nodes(graph, c, topology); });
  std::uint32_t longest = 1;
  for (const TaskEdge& edge : graph.edges) {
    const std::uint32_t flits = flits_of_bytes(edge.bytes, hardware.link.flit_bytes);
    if (flits > kLongestMessage)
      throw KeyError("traffic.task_graph",
                     formatted("the messages of edge %1% have %2% flits, more than %3%; give it more of them "
                               "(messages)",
                               shown_value(edge.name), flits, kLongestMessage));
    longest = std::max(longest, flits);
  }
  return {longest, "traffic.task_graph", "give the edges of the graph more and shorter messages"};
}

}  // namespace

WorkloadEntry task_graph_workload() {
  return {
      .to_its_end = true,
      .options = {&kTaskGraphOption, &kTaskMappingOption, &kIterationsOption, &kOverlapOption},
      .file_keys = {"traffic.task_graph", "traffic.task_mapping"},
      .chosen = [](const TrafficSettings& traffic) { return !graph_of(traffic).empty(); },
      .description =
          [](const TrafficSettings& traffic) {
            return formatted(
                "task graph %1%, %2%", graph_of(traffic),
                counted(static_cast<std::uint64_t>(traffic.options.number(kIterationsOption)), "iteration"));
          },
      .files =
          [](const TrafficSettings& traffic) {
            std::vector<InputFile> files = {{"traffic.task_graph", graph_of(traffic)}};
            if (const std::string mapping = mapping_of(traffic); !mapping.empty())
              files.push_back({"traffic.task_mapping", mapping});
            return files;
          },
      .check = check_task_graph,
      .flows =
          [](const Configuration& c, const Topology&, const HardwareParameters&) {
            return descriptions(read_task_graph(graph_of(c.traffic)), c.traffic);
          },
      .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
        return std::make_unique<TaskGraphWorkload>(use);
      }};
}

}  // namespace flitmend
