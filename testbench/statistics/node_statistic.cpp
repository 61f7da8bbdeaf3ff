// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/statistics/mean_interval.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {
namespace {

/// What one node has sent and received.
struct NodeCounts {
  std::uint64_t offered = 0, accepted = 0;  ///< flits
  Mean sent, received;                      ///< latencies of messages
};

struct NodeResults {
  NodeId node;
  std::string name;
  const NodeCounts& counts;
  Cycle cycles;  ///< measured

  std::optional<double> rate(std::uint64_t flits) const {
    if (cycles == 0) return std::nullopt;
    return static_cast<double>(flits) / static_cast<double>(cycles);
  }
  void visit(ResultsVisitor& v) const {
    v.value({"node", "", "Its number."}, std::uint64_t{node});
    v.value({"name", "", "Its router."}, name);
    v.value({"offered", "flits/cycle", "Flits of the messages that it created, per measured cycle."},
            rate(counts.offered));
    v.value({"accepted", "flits/cycle", "Flits of the messages that arrived there, per measured cycle."},
            rate(counts.accepted));
    v.value(
        {"sent", "messages", "Messages from there that were created in the measured window and delivered."},
        counts.sent.count());
    v.value({"sent_mean", "cycles", "Their mean total latency."}, counts.sent.mean());
    v.value({"received", "messages", "Such messages that arrived there."}, counts.received.count());
    v.value({"received_mean", "cycles", "Their mean total latency."}, counts.received.mean());
  }
};

class NodeStatistic final : public OptionalStatistic {
 public:
  explicit NodeStatistic(const StatisticContext& context)
      : window_(context.window), counts_(context.topology.node_count()) {
    for (NodeId node = 0; node < counts_.size(); ++node) names_.push_back(context.topology.router_name(node));
  }

  void message_created(const Message& message) override {
    if (window_.contains(message.created)) counts_[message.source].offered += message.length;
  }
  void message_delivered(const Message& message, Cycle now) override {
    if (window_.contains(now)) counts_[message.destination].accepted += message.length;
    if (!window_.contains(message.created)) return;
    counts_[message.source].sent.add(now - message.created);
    counts_[message.destination].received.add(now - message.created);
  }
  void finish(const Fabric&, Cycle measured_cycles) override { cycles_ = measured_cycles; }
  void visit(ResultsVisitor& v) const override {
    std::vector<NodeResults> nodes;
    for (NodeId node = 0; node < counts_.size(); ++node)
      nodes.push_back({node, names_[node], counts_[node], cycles_});
    visit_list(v, {"nodes", "", "What each node sent and received; with `statistics: {nodes: true}`."},
               nodes);
  }

 private:
  MeasuredWindow window_;
  std::vector<std::string> names_;
  std::vector<NodeCounts> counts_;
  Cycle cycles_ = 0;
};

}  // namespace

StatisticEntry nodes_statistic() {
  return {
      .name = "nodes",
      .description = "Write offered and accepted flits and latencies of every node.",
      .make = [](const StatisticContext& c) -> std::unique_ptr<OptionalStatistic> {
        return std::make_unique<NodeStatistic>(c);
      },
  };
}

}  // namespace flitmend
