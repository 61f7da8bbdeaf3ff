// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "testbench/traffic/message_source.h"
#include "traces/message_schedule.h"

namespace flitmend {

/// Another schedule, and the messages of sources that are sent until it has finished. Of those that are
/// created in the same cycle, the other schedule's come first, then they are in the order of nodes.
class WithBackground final : public MessageSchedule {
 public:
  /// Of every message of the sources; the other schedule's handles are lower.
  static constexpr Handle kHandle = Handle{1} << 31;
  /// Messages of the sources per node that have not arrived: only a network that they overload has more.
  static constexpr std::uint64_t kMostWaiting = 1000;

  /// sources: by node. first_flow: Packet::flow of their flow 0. `main` outlives this.
  WithBackground(MessageSchedule& main, std::vector<std::unique_ptr<MessageSource>> sources,
                 std::uint32_t first_flow, std::uint32_t flit_bytes);

  std::optional<Packet> pop(Cycle now) override;
  Cycle next_cycle() const override;
  void delivered(Handle, Cycle) override;
  void undeliverable(Handle, Cycle) override;
  bool finished() const override { return main_.finished() || overloaded_; }
  /// More messages of the sources wait than kMostWaiting per node: what the other schedule sends behind them
  /// would take longer and longer. Nothing is sent any more.
  bool overloaded() const { return overloaded_; }
  /// The node's source sends nothing from that cycle on.
  void stop_node(NodeId node, Cycle cycle) { nodes_[node].stop = std::min(nodes_[node].stop, cycle); }

  /// Messages of the sources that were abandoned or lost.
  std::uint64_t failed() const { return failed_; }

 private:
  struct Node {
    std::unique_ptr<MessageSource> source;
    std::uint64_t sent = 0;
    Cycle stop = kNever;
  };
  using Next = std::pair<Cycle, NodeId>;

  void look(NodeId);
  void answered();

  MessageSchedule& main_;
  std::vector<Node> nodes_;
  std::uint32_t first_flow_, flit_bytes_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
  std::uint64_t in_flight_ = 0, failed_ = 0;
  bool overloaded_ = false;
};

}  // namespace flitmend
