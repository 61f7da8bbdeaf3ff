// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random_stream.h"
#include "topologies/fault_set.h"
#include "topologies/topology.h"

namespace flitmend {

using VcMask = std::uint64_t;  ///< virtual channels of one physical channel, at most 64
inline constexpr unsigned kMaxVirtualChannels = 64;

/// A port and a class of virtual channels that a head may take next, with the routing state that it would
/// carry on.
struct RouteCandidate {
  std::uint64_t head_state = 0;  ///< h′, written into the head when it takes this candidate
  PortId port = 0;  ///< network port, or RoutingFunction::local_port(router) to leave the network here
  std::uint8_t vc_class = 0;  ///< see RoutingFunction::class_vcs
  /// Candidates of a lower preference are asked first; those of the same preference are the selection
  /// function's to order.
  std::uint8_t preference = 0;
  bool escape = false;  ///< belongs to the escape subfunction R1 of the deadlock proof

  friend bool operator==(const RouteCandidate&, const RouteCandidate&) = default;
};

/// A fixed-capacity list that the router owns, so that a route computation never allocates.
class CandidateList {
 public:
  CandidateList(RouteCandidate* storage, unsigned capacity) : storage_(storage), capacity_(capacity) {}
  void push(const RouteCandidate& c) {
    if (size_ < capacity_) storage_[size_] = c;
    ++size_;
  }
  unsigned size() const { return size_ < capacity_ ? size_ : capacity_; }
  bool overflowed() const { return size_ > capacity_; }
  bool empty() const { return size_ == 0; }
  const RouteCandidate& operator[](unsigned i) const { return storage_[i]; }
  const RouteCandidate* begin() const { return storage_; }
  const RouteCandidate* end() const { return storage_ + size(); }

 private:
  RouteCandidate* storage_;
  unsigned capacity_;
  unsigned size_ = 0;
};

/// What a router knows of its neighbourhood when it routes: a fault status bit a port.
class PortStatus {
 public:
  virtual bool faulty(PortId port) const = 0;

 protected:
  ~PortStatus() = default;
};

/// The state of a router's outputs in this cycle, for selection functions and for routing functions that look
/// at it.
class OutputStatus {
 public:
  /// Virtual channels of that output that may be given to a new message now.
  virtual VcMask free_vcs(PortId port) const = 0;
  /// Credits of all virtual channels of that output together.
  virtual unsigned credits(PortId port) const = 0;
  /// The h′ with which its holder took that virtual channel; undefined while it is free. Kept only for
  /// routing functions that look at outputs.
  virtual std::uint64_t holder_state(PortId port, unsigned vc) const {
    static_cast<void>(port), static_cast<void>(vc);
    return 0;
  }

 protected:
  ~OutputStatus() = default;
};

/// A head that asks for its way.
struct RouteRequest {
  static constexpr PortId kInjected = 0xffff;
  RouterId here;
  NodeId source;  ///< not for routing: h carries what an algorithm has to know of it
  NodeId destination;
  PortId arrival_port;       ///< network port by which it came, kInjected from the local interface
  std::uint8_t arrival_vc;   ///< virtual channel by which it came
  std::uint64_t head_state;  ///< h
  const PortStatus* ports;   ///< null: no fault anywhere
  RandomStream* random;      ///< this router's own stream, for algorithms that draw
  /// For routing functions that look at outputs; null in the deadlock checker, which wants every candidate
  /// that any state of the outputs could give.
  const OutputStatus* outputs = nullptr;
};

/// A routing function R: (node, input channel, head state h) → candidates (port, class, h′, escape?) in order
/// of preference. Pure but for what it draws from the request: the same request gives the same list, so that
/// routers, the deadlock checker and the analysis tools use the very same code. One object serves all routers
/// of a fabric.
class RoutingFunction {
 public:
  explicit RoutingFunction(const Topology& topology) : topology_(topology) {}
  virtual ~RoutingFunction() = default;

  /// Appends the candidates of this head. At its destination: local_port, the message is consumed.
  /// Elsewhere local_port means that it is absorbed whole by the network interface, which injects it again
  /// with the candidate's head state. None: no way (the message is undeliverable here); the head waits and
  /// asks again when the fault status changes.
  virtual void route(const RouteRequest&, CandidateList&) const = 0;
  /// The largest list that route() can give.
  virtual unsigned max_candidates() const = 0;
  /// h at the source; `random` is the source's own stream.
  virtual std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const {
    static_cast<void>(source), static_cast<void>(destination), static_cast<void>(random);
    return 0;
  }
  /// Every h that a message may start with: the checker visits them all.
  virtual std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const {
    static_cast<void>(source), static_cast<void>(destination);
    return {0};
  }

  /// Whether route() reads RouteRequest::outputs: then a waiting head asks anew in every cycle and the router
  /// keeps the holder states.
  virtual bool looks_at_outputs() const { return false; }
  /// The set of faults is now this one, at every router at once: algorithms that keep tables or the extent of
  /// fault regions compute them anew. Called between two cycles, and once before the first where there are
  /// static faults.
  virtual void update_faults(const FaultSet& faults) { static_cast<void>(faults); }

  /// The virtual channels that form a class at a port, of those that the router has; classes may overlap. At
  /// the local port: those of the ejection channel.
  virtual VcMask class_vcs(RouterId, PortId, unsigned vc_class) const = 0;
  /// Classes in use: vc_class of every candidate is below this.
  virtual unsigned classes() const = 0;

  const Topology& topology() const { return topology_; }
  PortId local_port(RouterId router) const { return topology_.port_count(router); }

 protected:
  const Topology& topology_;
};

/// A selection function: which of the candidates of one preference, all with a free virtual channel, a head
/// asks for.
class SelectionFunction {
 public:
  virtual ~SelectionFunction() = default;
  /// Index into candidates of the one to ask for. `available[i]` are the free virtual channels of candidate
  /// i's class, 0 where it cannot be had; at least one is not 0.
  virtual unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                          unsigned count, const OutputStatus&) const = 0;
};

}  // namespace flitmend
