// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_tlm/context.h"
#include "rtl_tlm/interfaces/foreign_router.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router/parts/crossbar.h"
#include "rtl_tlm/router/parts/input_controller.h"
#include "rtl_tlm/router/parts/output_controller.h"
#include "rtl_tlm/router/parts/switch_allocator.h"
#include "rtl_tlm/router/parts/vc_allocator.h"
#include "rtl_tlm/router/router_turns.h"
#include "rtl_tlm/signals/channel.h"
#include "rtl_tlm/signals/hierarchy_part.h"

namespace flitmend {

class NetworkInterface;
template <auto kFeatures>
class RouterCycle;

/// A router.
///
///             of each input port                                    of each output port
///            +------------------+                                  +--------------------+
///   flits    | InputController  |          +------------+          | OutputController   |    flits
///  --------->|  buffers by VC   |--------->|  Crossbar  |--------->|  output buffers,   |--------->
///   credits  |  route FSM by VC |          +------------+          |  link arbiter      |   credits
///  <---------|  head copies     |                ^                 |  owners, credits   |<---------
///            +------------------+                |                 +--------------------+
///                 | head             grant of the switch                  | free VCs
///                 v                              |                        v
///      1 route computation  ---->  2 VcAllocator  ---->  3 SwitchAllocator  ---->  4 switch traversal, link
///
/// A clock cycle evaluates these steps in this order (RouterCycle::evaluate; docs/architecture.md has more):
///
///   receive_control     fault status and control lines
///   receive_credits     credits, into the output controllers
///   receive_flits       flits, into the input buffers; heads that are at the front start route computation
///   evaluate_recovery   the recovery unit, where there is one
///   absorb              virtual channels in ABSORB discard a flit each
///   allocate_vcs        route computation, then VC allocation, of the heads at the front
///   allocate_switch     switch allocation; the flits granted cross the crossbar, or are ejected
///   arbitrate_links     from the output buffers onto the links
///
/// A Fabric, or a ClockedRouter, calls it once per clock cycle. A router has no SystemC ports: channels are
/// connected directly. Ports are the topology's network ports in their order, then the local port if the
/// router is a node; one that leads nowhere has no channels. Ids name virtual channels: port · virtual
/// channels + vc. The registers are in one block of memory (RouterState); the parts are views of it. They are
/// modules of SystemC's hierarchy unless it is compact (simulation.hierarchy).
class Router : public sc_core::sc_module, private PortStatus, private OutputStatus {
 public:
  Router(sc_core::sc_module_name, NetworkContext&, RouterId);
  const char* kind() const override { return "flitmend_router"; }
  ~Router() override;

  RouterId id() const { return state_.header().id; }
  const RouterState& state() const { return state_; }
  NetworkContext& context() { return context_; }
  const NetworkContext& context() const { return context_; }
  unsigned port_count() const { return state_.ports(); }
  bool has_local_port() const { return local_port() != RouterLayout::kNoPort; }
  unsigned local_port() const { return state_.layout().local_port; }
  InputController input(unsigned port) const { return {state_, port}; }
  OutputController output(unsigned port) const { return {state_, port}; }
  Crossbar crossbar() const { return Crossbar(state_); }
  /// The modules of a port's controllers, that of the output below that of the input; null in a compact
  /// hierarchy.
  HierarchyPart* input_part(unsigned port) { return parts_.empty() ? nullptr : parts_[2 * port].get(); }
  HierarchyPart* output_part(unsigned port) { return parts_.empty() ? nullptr : parts_[2 * port + 1].get(); }

  // --- A cycle (router_cycle.cpp) ---

  /// One clock cycle. True if work remains that no arrival will announce.
  bool evaluate(Cycle t) { return evaluate(state_, t); }
  /// The same, given only the handle of its registers.
  static bool evaluate(RouterState, Cycle t);
  /// The same for the routers in `now`, a mask of those from `states` on. Returns the mask of those with
  /// work.
  static Word evaluate(const RouterState* states, Word now, Cycle t, RouterTurns);
  /// Clears everything in the router except its interface; flits in it are lost. Call it instead of
  /// evaluate().
  void clear();
  /// A fault after the evaluation of cycle t: the router is dead, and everything in it is lost. Call it after
  /// its channels have failed.
  void fail(Cycle t);
  /// The router is back, empty, from the cycle after t on. Call it after its channels have been repaired.
  void repair(Cycle t);
  bool down() const { return state_.header().down; }
  /// Heads that wait for a virtual channel route again in the next cycle: what the routing function knows has
  /// changed.
  void routes_changed();

  // --- What it is connected to (router_wiring.cpp) ---

  /// A port that need not be bound, such as reset.
  using BoolPort = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  /// The fabric's masks of the routers at which something arrives (a ring by cycle) and of those with work of
  /// their own, and this router's bit in both. Before channels are connected.
  void set_wake(Word* wake, Word* active, Word bit);
  /// Connects the incoming or outgoing channel of a port. After set_wake, before the simulation starts.
  void connect_in(unsigned port, Channel&);
  void connect_out(unsigned port, Channel&);
  /// Attaches the network interface of its node.
  void attach(NetworkInterface&);
  /// Without an injection channel: where the injector takes the control lines that arrive in masks, one cycle
  /// after they were raised at the earliest.
  void set_injector_target(const VcTarget& wires, const MaskRings&);
  /// Without an injection channel: where the injector learns that a buffer has room again, one cycle later.
  void set_room_target(const VcTarget& credits);
  /// Attaches the recovery unit. Before the first cycle (else SC_REPORT_FATAL "flitmend/recovery").
  void attach(RouterRecovery&);
  /// From now on its cycles are those of a foreign router. Its registers then show what has crossed its
  /// channels.
  void replace_cycle(ReplacedCycle&);

  // --- For the network interface of its node ---

  /// The injector puts a flit directly into a buffer of the local port, before the router's evaluation at t.
  void accept(Cycle t, unsigned input_id, Flit flit) {
    if (state_.header().alters_arrivals) [[unlikely]]
      alter(input_id, flit);
    if (!(state_.told_of(input_id, flit.kind) && refused(t, input_id, flit)))
      InputController::accept(state_, t, input_id, flit);
    wake();
  }
  /// Without an injection channel: the injector tears down its message on that virtual channel.
  void injection_torn_down(Cycle, unsigned input_id);
  /// Its node has received the packet that holds the path that ends in that virtual channel.
  void acknowledge(Cycle t, unsigned input_id, MessageIndex packet);
  /// What a message would ask the routing function if its head were at the front of that virtual channel of
  /// the local port.
  RouteRequest injection_request(const Message&, unsigned vc);
  /// Output virtual channels of a port that can be allocated to a message now.
  VcMask allocatable_vcs(PortId port) const { return free_vcs(port); }

  // --- For its recovery unit (router_operations.cpp) ---
  // Without a unit, hold and reroute report SC_REPORT_FATAL "flitmend/recovery".

  /// Whether RouterRecovery::evaluate is called every cycle.
  void set_recovery_active(bool active) { state_.header().recovery_active = active; }
  bool recovery_active() const { return state_.header().recovery_active; }
  /// Whether its unit ends the wait of the head at the front of that virtual channel by a timer.
  bool timer_ends_wait(unsigned input_id) const {
    return recovery_active() && recovery_->timer_ends_wait(*this, input_id);
  }
  /// Changes the flits that its unit is told about.
  void set_hooks(FlitHooks hooks) { state_.header().hooks = hooks & 7; }
  /// The virtual channel takes and discards flits up to the next tail, then is idle.
  void absorb(Cycle, unsigned input_id);
  /// Appends a flit (a broken tail) to the buffer, as if it had arrived. The caller tells BrokenMessages as
  /// soon as it decides to append it.
  void append(Cycle, unsigned input_id, const Flit&);
  /// Discards the contents of the buffer, one flit and credit per cycle. The output is released at once; the
  /// route FSM goes to IDLE when the buffer is empty, at once if it is.
  void flush_input(Cycle, unsigned input_id);
  /// The contents of the output buffer are lost in a fault.
  void flush_output(Cycle, unsigned output_id);
  /// The contents of the output buffer are discarded.
  void discard_output(unsigned output_id);
  /// Whether the tail of the last message that came to the virtual channel has not arrived yet.
  bool awaits_tail(unsigned input_id) const;
  /// The last flit that arrived; meaningful while a tail is awaited.
  const Flit& last_flit(unsigned input_id) const { return state_.last_flit(input_id); }
  /// Makes an output virtual channel free, with all its credits: the next router's virtual channel is empty
  /// and idle.
  void restore_output(unsigned output_id);
  /// Returns the head at the front to route computation, and releases its output.
  void reroute(Cycle, unsigned input_id);
  /// The head at the front goes back to the router that it came from, and no credit returns for it; nothing
  /// else is in the buffer.
  void drop_head(Cycle, unsigned input_id);
  /// Keeps an output virtual channel unallocated, or stops doing so.
  void hold(unsigned output_id, bool held);

 private:
  template <auto kFeatures>
  friend class RouterCycle;

  // Steps of the cycle that come with faults and recovery (router_fault_steps.cpp).
  void control_arrived(Cycle, unsigned slot);
  void fault_status_arrived(Cycle, unsigned port, bool input_side);
  /// Mechanisms alter a flit that the injector puts into a buffer.
  [[gnu::noinline, gnu::cold]] void alter(unsigned input_id, Flit&);
  /// Asks the recovery unit about an arriving flit. If it refuses the flit, it is discarded.
  bool refused(Cycle, unsigned input_id, const Flit&);
  void absorb_arrived(Cycle);
  void discard(Cycle, unsigned id, const Flit&);
  /// The message whose head is at the front cannot be delivered: it is discarded, up to its tail.
  void abandon(Cycle, unsigned input_id);
  /// A head has no candidate. True if it is absorbed.
  [[gnu::noinline, gnu::cold]] bool no_route(Cycle, unsigned input_id, bool injected, PostponedSteps*);

  [[gnu::noinline, gnu::cold]] void too_many_candidates(Cycle) const;
  /// The router has work in the next cycle.
  void wake() { *active_ |= wake_bit_; }
  /// The flits in its buffers are lost in a fault.
  void lose_flits(Cycle);
  /// Reads the fault status of all ports' channels in that cycle.
  void update_fault_status(Cycle);
  void require_unit(const char* operation) const;
  /// Empties an output buffer; calls f(message) for every flit.
  template <class F>
  void empty_output(unsigned output_id, F&& f);

  void show_parts();
  void start_of_simulation() override;
  void check_ring(const char* side, unsigned port, const CreditWires&, unsigned delay) const;
  VcTarget arrivals_by_vc(Arrival, unsigned port);
  ArrivalTarget arrivals_by_port(Arrival, unsigned port);

  // What routing functions see.
  bool faulty(PortId port) const override { return state_.arbiter(port).faulty; }
  VcMask free_vcs(PortId port) const override {
    return OutputController::available(state_, port, low_bits(state_.vcs()), 1);
  }
  unsigned credits(PortId port) const override;
  std::uint64_t holder_state(PortId port, unsigned vc) const override {
    return state_.holder_state(port * state_.vcs() + vc);
  }

  NetworkContext& context_;
  RouterState state_;
  RandomStream random_;  ///< for routing functions
  RouterRecovery* recovery_ = nullptr;
  ReplacedCycle* replaced_ = nullptr;  ///< of a foreign router
  Word* wake_;                         ///< for a stand-alone router: words that nobody reads
  Word* active_;
  Word wake_bit_ = 0;
  std::unique_ptr<SwitchAllocator> switch_allocator_;  ///< of CyclePath::any; the others need only registers
  std::vector<std::unique_ptr<HierarchyPart>> parts_;  ///< each after its parent; none in a compact hierarchy
};

}  // namespace flitmend
