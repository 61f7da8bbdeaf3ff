// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/copies.h"
#include "rtl_tlm/input_controller.h"
#include "rtl_tlm/interfaces/foreign_router.h"
#include "rtl_tlm/output_controller.h"
#include "rtl_tlm/tail_signals.h"

namespace flitmend {

class Injector;
class NetworkInterface;
template <CycleFeatures>
class RouterCycle;

/// The infrastructure beneath a router's parts: the handle of its registers, the channels bound to them, and
/// the bits by which arrivals wake it. It is kept separate from the parts (Router) for speed: a router's
/// cycle uses one block of memory, and one object per part would cost a cache miss each.
class RouterWiring : public sc_core::sc_module, private PortStatus, private OutputStatus {
 public:
  /// A port that need not be bound, such as reset.
  using BoolPort = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  const RouterState& state() const { return state_; }
  NetworkContext& context() { return context_; }

  /// Connects the incoming or outgoing channel of a port. After set_wake, before the simulation starts.
  void connect_in(unsigned port, Channel&);
  void connect_out(unsigned port, Channel&);
  /// Attaches the network interface of its node.
  void attach(NetworkInterface&);
  /// Without an injection channel: where the injector takes tail_gone or COPIED, one cycle after it was sent
  /// at the earliest.
  void set_injector_target(const VcTarget& wires, const TailRings&);
  /// Without an injection channel, and with two-step flow control: where the injector learns that a buffer
  /// has room again, one cycle later.
  void set_room_target(const VcTarget& credits);
  /// The fabric's masks of the routers at which something arrives (a ring by cycle) and of those with work of
  /// their own, and this router's bit in both. Before channels are connected.
  void set_wake(Word* wake, Word* active, Word bit);

  /// The injector puts a flit directly into a buffer of the local port, before the router's evaluation at t.
  void accept(Cycle t, unsigned input_id, Flit flit) {
    if (state_.layout().keeps_copies && Copies::renaming(state_, input_id))
      Copies::rename(state_, input_id, flit);
    if (!(state_.told_of(input_id, flit.kind) && refused(t, input_id, flit)))
      InputController::accept(state_, t, input_id, flit);
    *active_ |= wake_bit_;
  }
  /// Without an injection channel: the injector tears down its message on that virtual channel.
  virtual void injection_killed(Cycle, unsigned input_id) = 0;
  /// The flit was a tail, and signals follow tails.
  void tail_injected(Cycle t, unsigned input_id) { TailSignals::arrived(state_, t, input_id); }
  /// Its node has received the packet of the circuit that ends in that virtual channel.
  void acknowledge(Cycle t, unsigned input_id, MessageIndex packet) {
    if (!Circuits::carries(state_, input_id, packet)) return;  // a fault has cut the circuit
    Circuits::acknowledge(state_, t, input_id);
    *active_ |= wake_bit_;
  }
  /// What a message would ask the routing function if its head were at the front of that virtual channel of
  /// the local port.
  RouteRequest injection_request(const Message&, unsigned vc);
  /// Output virtual channels of a port that can be allocated to a message now.
  VcMask allocatable_vcs(PortId port) const { return free_vcs(port); }
  /// From now on its cycles are those of a foreign router. Its registers then show what has crossed its
  /// channels.
  void replace_cycle(ReplacedCycle&);
  /// One clock cycle of a router, given only its register handle (RouterCycle). True if work remains that no
  /// arrival will announce.
  static bool evaluate(RouterState, Cycle t);

 protected:
  RouterWiring(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~RouterWiring() override = default;

  /// Reads the fault status of all ports' channels in that cycle.
  void update_fault_status(Cycle);
  /// Asks the recovery unit about an arriving flit. If it refuses the flit, it is discarded.
  virtual bool refused(Cycle, unsigned input_id, const Flit&) = 0;
  /// The router has work in the next cycle.
  void wake() { *active_ |= wake_bit_; }

  NetworkContext& context_;
  RouterState state_;

 private:
  template <CycleFeatures>
  friend class RouterCycle;

  void start_of_simulation() override;
  void connect_narrow(unsigned port, const Channel&);
  void check_ring(const char* side, unsigned port, const CreditWires&, unsigned delay) const;
  VcTarget arrivals_by_vc(Arrival, unsigned port);
  ArrivalTarget arrivals_by_port(Arrival, unsigned port);
  [[gnu::noinline, gnu::cold]] void too_many_candidates(Cycle) const;

  // What routing functions see.
  bool faulty(PortId port) const override { return state_.arbiter(port).faulty; }
  VcMask free_vcs(PortId port) const override {
    return OutputController::available(state_, port, low_bits(state_.vcs()), 1);
  }
  unsigned credits(PortId port) const override;
  std::uint64_t holder_state(PortId port, unsigned vc) const override {
    return state_.holder_state(port * state_.vcs() + vc);
  }

  RandomStream random_;                ///< for routing functions
  ReplacedCycle* replaced_ = nullptr;  ///< of a foreign router
  Word* wake_;                         ///< for a stand-alone router: words that nobody reads
  Word* active_;
  Word wake_bit_ = 0;
};

}  // namespace flitmend
