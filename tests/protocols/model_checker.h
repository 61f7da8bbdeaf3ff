// SPDX-License-Identifier: Apache-2.0
// A model of tiny networks with buffers of one flit, whose states are all visited. It knows a routing
// function and a topology, and nothing of the deadlock checker.
#pragma once
#include <cstdint>
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// What the model says, as far as it got within its limit.
struct ModelVerdict {
  bool deadlock = false;  ///< found
  bool complete = false;  ///< everything has been visited: if there were a deadlock, it would have been found
  std::size_t visited = 0;
};

/// Virtual channels are held by one message at a time (atomic reallocation). A message arrives flit by flit,
/// and is consumed as soon as its head is at the destination. A head takes any free candidate, or waits.
class NetworkModel {
 public:
  enum class Messages {
    one_flit,    ///< each fits in a buffer, as with virtual cut-through
    any_length,  ///< each holds the channels from its tail to its head
    whole_path,  ///< each holds the channels from its source to its head, as with pipelined circuits
  };

  NetworkModel(const RoutingFunction&, unsigned vcs, Messages);

  std::size_t channels() const { return channels_.size(); }
  /// All states of the network that can be reached from the empty one. A deadlock: there are messages, and
  /// none can move.
  ModelVerdict reachable_states(std::size_t most_states) const;
  /// All sets of messages each of which waits only for channels of the others. A deadlock: such a set that
  /// the messages can form, one after the other, in the empty network.
  ModelVerdict blocked_sets(std::size_t most_steps) const;

 private:
  using ChannelSet = std::vector<bool>;
  struct Channel {
    RouterPort from, to;
    std::uint8_t vc;
  };
  /// A head: where it is, and what it carries.
  struct Head {
    NodeId destination;
    RouterId here;
    PortId arrival_port;
    std::uint8_t arrival_vc;
    std::uint64_t h;
  };
  struct Hop {
    std::uint32_t channel;
    std::uint64_t h;
    bool arrives;  ///< at the destination
  };
  /// A message in the network: the channels that it holds, its tail's first.
  struct Worm {
    NodeId destination;
    std::uint64_t h;
    bool ended;  ///< its last flit is in the network
    std::vector<std::uint32_t> held;
    friend auto operator<=>(const Worm&, const Worm&) = default;
  };
  /// A message that waits somewhere, for the search of blocked sets.
  struct Waiting {
    std::vector<std::uint32_t> held, wanted;
    std::vector<std::vector<std::uint32_t>> ways;  ///< channels from its source to where it waits
  };
  class Search;

  std::vector<Hop> hops(const Head&) const;
  Head head_of(const Worm& worm) const {
    const Channel& last = channels_[worm.held.back()];
    return {worm.destination, last.to.router, last.to.port, last.vc, worm.h};
  }
  template <class Visit>
  void for_each_source(Visit&&) const;
  void follow(const Head&, std::vector<std::uint32_t>& way, std::vector<Waiting>&) const;

  const RoutingFunction& routing_;
  const Topology& topology_;
  Messages messages_;
  std::vector<Channel> channels_;
  std::vector<std::vector<std::uint32_t>> first_channel_;  ///< by router and port
};

}  // namespace flitmend
