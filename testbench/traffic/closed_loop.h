// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "base/random_stream.h"
#include "testbench/statistics/optional_statistic.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
#include "traces/message_schedule.h"

namespace flitmend {

/// What every node of a closed loop does.
struct ClosedLoopParameters {
  std::uint32_t outstanding = 1;   ///< requests of a node without a reply, at most
  std::uint32_t reply_length = 0;  ///< flits; 0: there are no replies, a request ends when it arrives
  Cycle service_time = 0;          ///< from the arrival of a request to its reply
  Cycle think_time = 0;            ///< from the arrival of a reply to the next request
  std::uint64_t requests = 0;      ///< of each node; 0: without end
  Cycle stop = kNever;             ///< no requests from this cycle on
};

/// Counts of requests with their replies. Latencies in cycles.
struct ClosedLoopCounts {
  std::vector<std::uint64_t> round_trips;  ///< of requests created in the measured window
  std::uint64_t request_latencies = 0;     ///< their sum, of those
  std::uint64_t reply_latencies = 0;       ///< likewise
  std::uint64_t finished_in_window = 0;    ///< requests whose reply arrived in the window
  std::uint64_t outstanding_cycles = 0;    ///< sum over requests of their cycles in the window
};

/// Requests and replies: each node that sends in the pattern keeps some requests outstanding. A request that
/// arrives in cycle t is answered in cycle t + 1 + service_time; a reply that arrives in cycle t makes room
/// for a request in cycle t + 1 + think_time. A request or reply that is abandoned or lost makes room too.
class ClosedLoop final : public MessageSchedule {
 public:
  enum Part : std::uint32_t { request, reply };  ///< Packet::flow

  /// The pattern and the lengths (of requests) outlive this.
  ClosedLoop(const ClosedLoopParameters&, NodeId nodes, const DestinationPattern&, const LengthDistribution&,
             std::uint64_t seed, MeasuredWindow);

  std::optional<Packet> pop(Cycle now) override;
  Cycle next_cycle() const override { return ready_.empty() ? kNever : ready_.top().cycle; }
  void delivered(Handle, Cycle) override;
  void undeliverable(Handle, Cycle) override;
  /// No request is under way, and none will be.
  bool finished() const override { return in_flight_ == 0 && ready_.empty(); }
  /// The node sends no more requests from that cycle on.
  void stop_node(NodeId node, Cycle cycle) { nodes_[node].stop = std::min(nodes_[node].stop, cycle); }

  std::uint64_t failed() const { return failed_; }
  /// Of a run of that many cycles.
  ClosedLoopCounts counts(Cycle cycles) const;
  NodeId requesters() const { return requesters_; }

 private:
  struct Loop {
    Cycle created = 0;  ///< of the request
    Cycle sent = 0;     ///< of the part under way
    Cycle request_latency = 0;
    NodeId requester = 0, server = 0;
    Part part = request;
    bool in_flight = false;  ///< a part of it
  };
  struct Node {
    RandomStream destinations, lengths;
    std::uint64_t left = 0;  ///< requests that it may still begin
    Cycle stop = kNever;
  };
  /// What is sent next. Ordered so that the order of deliveries within a cycle does not matter.
  struct Ready {
    Cycle cycle;
    NodeId source;
    Part part;
    NodeId requester;
    Handle loop;
    bool operator>(const Ready& other) const;
  };

  void begin(NodeId node, Cycle);
  void end(Handle, Cycle);
  void check(Handle) const;

  ClosedLoopParameters parameters_;
  const DestinationPattern& pattern_;
  const LengthDistribution& lengths_;
  MeasuredWindow window_;
  std::vector<Node> nodes_;
  std::vector<Loop> loops_;
  std::vector<Handle> free_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  NodeId requesters_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t failed_ = 0;
  ClosedLoopCounts counts_;
};

}  // namespace flitmend
