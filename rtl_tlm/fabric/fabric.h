// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "rtl_tlm/context.h"
#include "rtl_tlm/fabric/recovery_module.h"
#include "rtl_tlm/fabric/recovery_protocol.h"
#include "rtl_tlm/fabric/router_partitions.h"
#include "rtl_tlm/foreign/router_factory.h"
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/router/router.h"
#include "rtl_tlm/signals/channel.h"
#include "rtl_tlm/signals/clock_edges.h"
#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {

class RegisterObjects;

/// Is notified of every clock cycle of a fabric, after all routers have been evaluated. For waveforms and
/// event logs.
class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  /// Masks of `words` words, by RouterId. `evaluated`: routers evaluated in this cycle, or whose interface
  /// was. `arriving`: routers at which, or at whose interface, something arrives in the next cycle.
  virtual void cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) = 0;
  /// Nothing happens in cycle t and in those after it: the first of them, after t, of which it must be
  /// notified nevertheless. A gated clock may leave out the others.
  virtual Cycle needed_after(Cycle t) const { return t + 1; }
  /// A reset has cleared the whole fabric, outside of any cycle.
  virtual void fabric_cleared() {}
};

/// Whether flits and credits are conserved, and whether everything is idle, as it must be in a drained
/// fabric.
struct ConservationReport {
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_consumed = 0;
  std::uint64_t flits_discarded = 0;
  std::uint64_t flits_in_network = 0;  ///< in buffers and on channels
  /// Lost: not at the output, in transit or used by a flit. In an empty network, surplus credits count too.
  std::uint64_t credits_missing = 0;
  std::uint64_t busy_vcs = 0;  ///< virtual channels not idle, or not free
  bool flits_conserved() const {
    return flits_injected == flits_consumed + flits_discarded + flits_in_network;
  }
  bool idle() const { return flits_in_network == 0 && credits_missing == 0 && busy_vcs == 0; }
};

/// A network elaborated from a topology graph: routers, channels, network interfaces. One clocked process
/// evaluates the network interfaces that have work, then the routers that have work. Topology, routing,
/// selection function and recovery protocol must outlive it.
class Fabric : public sc_core::sc_module, private NetworkClock {
 public:
  sc_core::sc_in<bool> clock;  ///< evaluates at the rising edge
  Router::BoolPort reset;      ///< high at a rising edge clears everything; need not be bound

  SC_HAS_PROCESS(Fabric);
  /// `recovery`: what its routers do about faults; null: faults are not possible. `foreign`: makes routers of
  /// your own; empty: all are the fabric's. Throws KeyError if the hardware cannot have such routers.
  Fabric(sc_core::sc_module_name, const Topology&, RoutingFunction&, const SelectionFunction&,
         const HardwareParameters&, std::uint64_t seed = 1, const TransactionParameters& = {},
         const RecoveryProtocol* recovery = nullptr, const RouterFactory& foreign = {});
  const char* kind() const override { return "flitmend_fabric"; }
  ~Fabric() override;

  const Topology& topology() const { return context_.topology; }
  NetworkContext& context() { return context_; }
  const NetworkContext& context() const { return context_; }
  NodeId node_count() const { return context_.topology.node_count(); }
  Router& router(RouterId id) { return *routers_[id]; }
  const Router& router(RouterId id) const { return *routers_[id]; }
  /// The boundary of a router of your own, with its monitor; null for the fabric's routers.
  RouterBoundary* boundary(RouterId);
  bool has_foreign_routers() const { return !boundaries_.empty(); }
  NetworkInterface& network_interface(NodeId node) { return *interfaces_[node]; }
  const NetworkInterface& network_interface(NodeId node) const { return *interfaces_[node]; }
  /// The recovery unit of a router; null without a recovery protocol.
  RecoveryModule* recovery_module(RouterId r) { return units_.empty() ? nullptr : units_[r].get(); }
  /// The registers that recovery units have of their own.
  UnitRegisters unit_registers() const { return unit_registers_; }
  /// The TLM-2.0 sockets of a node's interface.
  NetworkSockets& sockets(NodeId node) { return *socket_context_.sockets[node]; }
  const NetworkSockets& sockets(NodeId node) const { return *socket_context_.sockets[node]; }
  const AddressMap& addresses() const { return socket_context_.addresses; }
  /// The channel that leaves a router at a network port, null at an edge.
  Channel* channel(RouterId router, PortId port) { return channels_[router][port].get(); }
  const Channel* channel(RouterId router, PortId port) const { return channels_[router][port].get(); }

  // --- Faults: between two rising edges; both ends of a channel see them from the next edge on ---
  // Before the first edge they are static faults. In a fabric without a recovery protocol, or during an
  // evaluation: SC_REPORT_FATAL "flitmend/faults". The same if a part is repaired before an edge at which its
  // neighbours have seen the fault, and for parts next to a router of your own. Failing a faulty part again
  // has no effect.
  /// The router dies, with everything in it and on its channels. If permanent, its node dies too, and all
  /// routers and interfaces know it.
  void fail_router(RouterId, bool permanent = false);
  /// The router is back, empty. Not after a permanent fault.
  void repair_router(RouterId);
  /// Both channels of the link at that port, or only the outgoing one. Senders of messages whose route it
  /// takes try again until it is repaired, unless it is permanent.
  void fail_link(RouterId, PortId, bool one_way = false, bool permanent = false);
  void repair_link(RouterId, PortId, bool one_way = false);
  const FaultSet& faults() const { return context_.faults; }
  static constexpr PortId kNoPort = 0xffff;
  /// Whether that router (kNoPort), or one end of its channel at that port, is a router of your own or, for a
  /// router, a neighbour of one. Such a part cannot fail: a router of your own has no pins for faults.
  bool next_to_foreign(RouterId, PortId = kNoPort) const;
  /// No message is under way, no transaction waits for its answer, and no virtual channel is recovering from
  /// a fault.
  bool quiet() const;

  void add_observer(MessageObserver& observer) { context_.observers.push_back(&observer); }
  void add_observer(CycleObserver& observer) { cycle_observers_.push_back(&observer); }
  void add_observer(PacketObserver& observer) { context_.packet_observers.push_back(&observer); }

  /// As NetworkClock says.
  Cycle next_cycle() const final {
    // In the edge's delta cycle the caller may run before or after the fabric's own process.
    const bool before =
        context_.next_cycle == cycle_ && clock->posedge() && evaluated_in_ != sc_core::sc_delta_count();
    return before ? cycle_ + 1 : context_.next_cycle;
  }
  /// Time of the rising edge of a cycle. The clock must be an sc_clock, or its edges must be set (else
  /// SC_REPORT_ERROR "flitmend/clock").
  sc_core::sc_time edge_time(Cycle) const;
  /// The rising edges of a clock that is not an sc_clock. Before the end of elaboration.
  void set_edges(const ClockEdges& edges) { edges_ = edges; }
  /// Rising edges seen.
  Cycle cycles() const final { return cycle_; }
  /// A cycle is being evaluated, a reset is clearing everything, or an exception has interrupted one of
  /// these: counts are inconsistent then.
  bool evaluating() const { return evaluating_; }
  /// Messages created and not yet delivered.
  std::uint64_t messages_in_network() const { return context_.messages_in_network; }
  /// Router-to-router channel crossings since the start.
  std::uint64_t flit_hops() const;
  /// Counts every flit, credit and virtual channel. O(size of the fabric).
  ConservationReport check_conservation() const;
  /// Tells the observers of the messages that initiators have created and that have not entered a source
  /// queue. Once, at the end of a run.
  void tell_held_back() const;

  /// Odd cycles evaluate the routers in reverse order, the default if the registers do not fit the
  /// second-level cache. No result depends on it. No effect with unlimited ejection: there the routers
  /// themselves may deliver messages, and observers are notified in that order.
  void alternate_order(bool alternate) {
    alternate_ = alternate && !context_.hardware.network_interface.unlimited_ejection();
  }
  /// Evaluates the routers on several threads from the next edge on. No result depends on it. Interfaces,
  /// recovery units, observers and all user code but routing functions run on the kernel's thread. False:
  /// there is only one router, or they do not allow it (RouterPartitions::possible). Before the first edge.
  bool set_threads(ThreadCount);
  bool has_threads() const { return threads_.most > 1; }
  /// Edges at which several threads have evaluated routers.
  std::uint64_t threaded_cycles() const { return partitions_ ? partitions_->threaded_cycles() : 0; }

  // --- Without the kernel, for a search that tries many faults: between two cycles of an elaborated fabric
  // ---
  /// Evaluates the next rising edge, as the clock does.
  void step() { on_clock(); }
  /// The first edge at which something happens if no fault strikes and no message is created before it;
  /// kNever if nothing ever does. Not with routers of your own, which work in every cycle.
  Cycle next_event() const;
  /// Passes the edges before that one. Nothing may happen at them: cycles() ≤ edge ≤ next_event().
  void skip_to(Cycle edge) { context_.next_cycle = cycle_ = edge; }

  // --- For a clock that leaves out edges at which nothing happens; between two of its edges ---
  /// How many of the next rising edges may be left out if no fault strikes and no message is created before
  /// the one after them. 0 if something was evaluated at the last edge: observers see the next one, too.
  Cycle idle_edges();
  /// Passes that many edges, at most idle_edges().
  void pass(Cycle edges);
  /// Rising edges seen at the last one at which something was evaluated; with any other clock not before
  /// that.
  Cycle idle_since() const;

  /// Pauses the kernel (sc_pause) after this many edges; kNever: never.
  void pause_at(Cycle cycle) { pause_at_ = latest_pause_ = cycle; }
  /// Pauses it after that many more edges, not counting those that the clock leaves out, but at the latest
  /// after `latest` edges in all.
  void pause_after(Cycle evaluated, Cycle latest) {
    latest_pause_ = latest;
    pause_at_ = std::min(cycle_ + evaluated, latest);
  }
  /// Pauses it after the first cycle that ends with a quiet fabric.
  void pause_when_empty(bool pause) { pause_when_empty_ = pause; }

 private:
  void on_clock();
  void end_of_elaboration() override;
  void evaluate(Cycle t);
  void evaluate_interfaces(Cycle t);
  /// `down`: in reverse order.
  void evaluate_routers(Cycle, bool down);
  void evaluate_partitions(Cycle t);
  /// At the end of cycle t: tells the senders of broken messages of which no flit is left.
  [[gnu::noinline, gnu::cold]] void settle_broken(Cycle t);
  /// Tells the senders of the messages delivered in cycle t, if their protocol wants to know.
  void tell_delivered(Cycle t);
  void clear();
  void add_foreign(RouterId, const RouterFactory&);
  /// Foreign routers are evaluated in every cycle.
  void wake_foreign();
  /// Routers whose recovery unit is active after power-up or a reset are evaluated.
  void wake_active_units();
  void require_faults_allowed(const char* operation) const;
  void require_not_next_to_foreign(const char* operation, RouterId, PortId) const;
  /// A fault that nobody has seen cannot be repaired: flits are lost, and no unit knows. `port`: kNoPort for
  /// the router.
  void require_seen(const char* operation, RouterId, PortId port) const;
  void note_unseen(RouterId, PortId port);
  /// Sets a channel's state from the set of faults.
  void update_channel(RouterId, PortId);
  /// The same for both channels of a link, and for all links of a router.
  void update_link(RouterId, PortId);
  void update_links_of(RouterId);
  void lose_flits_on(const Channel&);
  void faults_changed();
  /// The routing function learns the faults: at once, or at the end of a management step.
  void tell_routing();
  /// The management step at the end of cycle t.
  [[gnu::noinline, gnu::cold]] void manage(Cycle t);
  void end_management();
  /// No flit is in the network, no virtual channel has a message, and no source is sending one.
  bool drained() const;
  void tell_hits();
  bool recovering(const Router&) const;

  NetworkContext context_;
  RoutingFunction& routing_;
  std::vector<std::pair<RouterId, PortId>> unseen_;       ///< what has failed since the last edge
  Cycle unseen_before_ = 0;                               ///< the edge at which it is seen
  std::vector<std::unique_ptr<RecoveryModule>> units_;    ///< by router; empty without a recovery protocol
  UnitRegisters unit_registers_;                          ///< of each of them
  std::vector<std::unique_ptr<InterfaceRecovery>> ends_;  ///< by node; empty if the protocol has none
  Cycle recomputing_since_ = kNever;  ///< in a management step: the cycle in which the network was empty
  bool evaluating_ = false;
  sc_dt::uint64 evaluated_in_ = ~sc_dt::uint64{0};  ///< the delta cycle of the last edge
  std::vector<std::unique_ptr<Router>> routers_;
  std::vector<std::unique_ptr<RouterBoundary>> boundaries_;  ///< of foreign routers, by RouterId
  std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
  SocketContext socket_context_;
  std::vector<std::vector<std::unique_ptr<Channel>>> channels_;  ///< by router and port
  std::vector<std::unique_ptr<Channel>> injection_;
  std::vector<std::unique_ptr<Channel>> ejection_;
  std::vector<CycleObserver*> cycle_observers_;
  unsigned words_;
  unsigned ring_mask_;
  std::vector<RouterState> states_;  ///< by RouterId
  bool large_;                       ///< the registers do not fit the second-level cache
  bool alternate_;
  std::vector<Word> active_;            ///< routers with work of their own
  std::vector<Word> wake_;              ///< by word and slot: routers at which something arrives
  std::vector<Word> interface_active_;  ///< the same for the network interfaces, by node
  std::vector<Word> interface_flits_;
  std::vector<Word> interface_credits_;
  std::vector<Word> interface_asleep_;  ///< by word: interfaces that only wait for a timer
  std::vector<Cycle> interface_due_;    ///< by word: when the first of those timers ends
  std::vector<Word> evaluated_;
  std::vector<Word> arriving_;  ///< arrivals in the next cycle, for observers
  ThreadCount threads_;
  std::unique_ptr<RouterPartitions> partitions_;  ///< with several threads, from the first edge on
  std::vector<Word> now_;                         ///< with them: routers to be evaluated
  Cycle cycle_ = 0;
  Cycle pause_at_ = kNever;
  Cycle latest_pause_ = kNever;  ///< ≥ pause_at_, which edges that the clock leaves out postpone
  Cycle idle_since_ = 0;
  bool pause_when_empty_ = false;
  std::optional<ClockEdges> edges_;                    ///< if their times are known
  std::unique_ptr<RegisterObjects> register_objects_;  ///< last: they read all of the above
};

}  // namespace flitmend
