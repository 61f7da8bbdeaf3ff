// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random_stream.h"
#include "rtl_tlm/signals/flit.h"
#include "topologies/fault_set.h"
#include "topologies/topology.h"

namespace flitmend {

/// A port and a class of virtual channels that a head may take next, with the routing state that it then has.
struct RouteCandidate {
  std::uint64_t head_state = 0;  ///< h′, written into the head when it takes this candidate
  PortId port = 0;  ///< network port, or RoutingFunction::local_port(router) to leave the network here
  std::uint8_t vc_class = 0;  ///< see RoutingFunction::class_vcs
  /// Candidates with a lower number are tried first; among those with the same number the selection function
  /// chooses.
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
  /// Adds to the classes of the candidates from number `first` on.
  void shift_classes(unsigned first, unsigned classes) {
    for (unsigned i = first; i < size(); ++i)
      storage_[i].vc_class = static_cast<std::uint8_t>(storage_[i].vc_class + classes);
  }
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

/// What a router knows about its neighbourhood when it routes: one fault status bit per port.
class PortStatus {
 public:
  virtual bool faulty(PortId port) const = 0;

 protected:
  ~PortStatus() = default;
};

/// The state of a router's outputs in this cycle, for selection functions and for routing functions that look
/// at outputs.
class OutputStatus {
 public:
  /// Virtual channels of that output that can be allocated to a new message now.
  virtual VcMask free_vcs(PortId port) const = 0;
  /// Sum of the credits of that output's virtual channels.
  virtual unsigned credits(PortId port) const = 0;
  /// The h′ that the holder of a virtual channel has at the next router; undefined while the channel is free.
  /// Kept only for routing functions that look at outputs.
  virtual std::uint64_t holder_state(PortId port, unsigned vc) const {
    static_cast<void>(port), static_cast<void>(vc);
    return 0;
  }

 protected:
  ~OutputStatus() = default;
};

/// A head that requests a route.
struct RouteRequest {
  static constexpr PortId kInjected = 0xffff;
  RouterId here;
  NodeId source;  ///< not for routing: an algorithm that needs it encodes it in h
  NodeId destination;
  PortId arrival_port;       ///< network port through which it came; kInjected: from the local interface
  std::uint8_t arrival_vc;   ///< virtual channel through which it came
  std::uint64_t head_state;  ///< h
  const PortStatus* ports;   ///< null: there are no faults
  RandomStream* random;      ///< this router's own stream, for randomized algorithms
  /// For routing functions that look at outputs. Null in the deadlock checker, which needs every candidate
  /// that is possible in some state of the outputs.
  const OutputStatus* outputs = nullptr;
};

/// The route over intermediate nodes, as h encodes it, for the register map.
struct IntermediateFields {
  unsigned left = 0;     ///< I: intermediate nodes that are still ahead
  NodeId next = 0;       ///< the first of them; undefined if there is none
  unsigned segment = 0;  ///< intermediate nodes already passed
};

class RouterState;

/// The routing tables of all sources.
struct RouteTableSize {
  std::uint64_t entries = 0;
  std::uint64_t bits = 0;
};

/// A routing function R: (node, input channel, head state h) → candidates (port, class, h′, escape?) in order
/// of preference. Pure, except for random numbers from the request's stream: the same request returns the
/// same list, so routers, the deadlock checker and the analysis tools use the same code. One object serves
/// all routers of a fabric.
class RoutingFunction {
 public:
  explicit RoutingFunction(const Topology& topology) : topology_(topology) {}
  virtual ~RoutingFunction() = default;

  /// Appends the candidates of this head. At its destination: local_port, and the message is consumed.
  /// Elsewhere local_port means that the network interface absorbs the whole message and injects it again
  /// with the candidate's head state. None: there is no route from here. At its source the message is then
  /// undeliverable; elsewhere the head waits and requests a route again when the fault status changes.
  virtual void route(const RouteRequest&, CandidateList&) const = 0;
  /// Length of the longest list that route() returns.
  virtual unsigned max_candidates() const = 0;
  /// h at the source; `random` is the source's own stream.
  virtual std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const {
    static_cast<void>(source), static_cast<void>(destination), static_cast<void>(random);
    return 0;
  }
  /// Every h that a message may start with. The deadlock checker visits them all.
  virtual std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const {
    static_cast<void>(source), static_cast<void>(destination);
    return {0};
  }

  /// Whether route() reads RouteRequest::outputs: if so, it is called in every cycle while a head waits, and
  /// the router stores the holder states.
  virtual bool looks_at_outputs() const { return false; }
  /// Whether route() reads RouteRequest::arrival_port or arrival_vc. If not, the deadlock checker calls it
  /// once for all heads at a router that differ only in these.
  virtual bool looks_at_arrival() const { return true; }
  /// Whether a waiting head may rely on a candidate that is an escape channel. If a fault removes that
  /// candidate, the head may wait forever.
  virtual bool has_escape_channels() const { return false; }
  /// Whether candidates of equal preference are to be drawn: then a message that can circulate, and can
  /// always leave the cycle, does not do so forever.
  virtual bool randomised() const { return false; }
  /// Whether route() depends on the set that update_faults() was given last, and not only on the fault status
  /// of the router's own ports. Heads that wait then route again whenever the set changes.
  virtual bool knows_all_faults() const { return false; }
  /// `faults` is the new set of faults, known to all routers at once. Algorithms with tables or fault regions
  /// recompute them. Called between two cycles, and once before the first cycle if there are static faults.
  virtual void update_faults(const FaultSet& faults) { static_cast<void>(faults); }
  /// The seed of the random choices that it makes once per run. Called before the first cycle, before
  /// update_faults.
  virtual void set_seed(std::uint64_t seed) { static_cast<void>(seed); }
  /// Whether update_faults takes a management step: the sources stop, the network drains, the tables are
  /// recomputed, and traffic resumes with them.
  virtual bool needs_management() const { return needs_management_; }
  /// From now on it does. Before the first cycle.
  void require_management() { needs_management_ = true; }
  /// Cycles that the management step takes to recompute the tables.
  virtual std::uint64_t recomputation_cycles() const { return 0; }
  /// The tables that initial_state() looks up, as they are now.
  virtual RouteTableSize table_size() const { return {}; }

  /// The registers of a router of a fabric, by which it may route from now on. Called for every router before
  /// the first cycle; the registers must outlive it.
  virtual void read_registers(RouterId router, const RouterState& registers) {
    static_cast<void>(router), static_cast<void>(registers);
  }

  /// Whether h names intermediate nodes: intermediate_fields() says what.
  virtual bool names_intermediates() const { return false; }
  virtual IntermediateFields intermediate_fields(std::uint64_t h) const {
    static_cast<void>(h);
    return {};
  }

  /// The virtual channels of a class at a port; classes may overlap. At the local port: those of the ejection
  /// channel.
  virtual VcMask class_vcs(RouterId, PortId, unsigned vc_class) const = 0;
  /// Number of classes: vc_class of every candidate is below this.
  virtual unsigned classes() const = 0;

  /// Classes of messages that use different virtual channels: 1, or 2 for requests and replies. A message
  /// that enters the network on a virtual channel of its class stays in the class.
  virtual unsigned message_classes() const { return 1; }
  /// The virtual channels of a message class at the local ports.
  virtual VcMask message_class_vcs(unsigned message_class) const {
    static_cast<void>(message_class);
    return ~VcMask{0};
  }

  const Topology& topology() const { return topology_; }
  PortId local_port(RouterId router) const { return topology_.port_count(router); }

 protected:
  const Topology& topology_;

 private:
  bool needs_management_ = false;
};

/// A selection function: it decides which of several candidates of equal preference a head requests.
class SelectionFunction {
 public:
  virtual ~SelectionFunction() = default;
  /// Whether a head requests all of its candidates at once, whatever their preference, and the VC allocator
  /// chooses. select() is then not called.
  virtual bool requests_all() const { return false; }
  /// Index of the candidate to request. `available[i]` are the free virtual channels of candidate i's class,
  /// 0 if it cannot be used now; at least one is not 0.
  virtual unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                          unsigned count, const OutputStatus&) const = 0;
};

}  // namespace flitmend
