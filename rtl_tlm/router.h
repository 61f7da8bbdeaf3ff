// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/crossbar.h"
#include "rtl_tlm/injector.h"
#include "rtl_tlm/input_controller.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/output_controller.h"
#include "rtl_tlm/switch_allocator.h"
#include "rtl_tlm/vc_allocator.h"

namespace flitmend {

class NetworkInterface;
template <bool kOneWord, bool kPlain>
class RouterCycle;

/// A router: an input and an output controller a port, VC allocator, switch allocator, crossbar. Ports are
/// the topology's network ports in their order, then the local port where the router is a node; one that
/// leads nowhere has no channels. It is called once a clock cycle (evaluate), by a fabric or by a
/// ClockedRouter, which has ports and a clock of its own.
class Router : public sc_core::sc_module, private PortStatus, private OutputStatus {
 public:
  using BoolPort = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  Router(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~Router() override;

  /// The channel that arrives, or leaves, at a port. After set_wake, before the simulation starts.
  void connect_in(unsigned port, Channel&);
  void connect_out(unsigned port, Channel&);

  RouterId id() const { return state_.header().id; }
  unsigned port_count() const { return state_.ports(); }
  bool has_local_port() const { return local_port() != RouterLayout::kNoPort; }
  unsigned local_port() const { return state_.layout().local_port; }
  InputController& input(unsigned port) { return *inputs_[port]; }
  const InputController& input(unsigned port) const { return *inputs_[port]; }
  OutputController& output(unsigned port) { return *outputs_[port]; }
  const OutputController& output(unsigned port) const { return *outputs_[port]; }
  const RouterState& state() const { return state_; }
  NetworkContext& context() { return context_; }
  VcAllocator& vc_allocator() { return *vc_allocator_; }
  SwitchAllocator& switch_allocator() { return *switch_allocator_; }
  const Crossbar& crossbar() const { return *crossbar_; }

  /// The network interface of its node.
  void attach(NetworkInterface&);
  /// The injector writes straight into the input buffers of the local port.
  void fill_buffers_from(Injector& injector) { injector.bind(*this); }
  /// The recovery unit of the chosen protocol; before the first cycle (SC_REPORT_FATAL "flitmend/recovery").
  void attach(RouterRecovery&);
  /// A fabric's mask of the routers at which something arrives, a ring by cycle, and its mask of those with
  /// work of their own; this router's bit in both. Before channels are connected.
  void set_wake(Word* wake, Word* active, Word bit);
  /// A flit that the injector puts straight into a buffer of the local port, before the router's evaluation
  /// at t.
  void accept(Cycle t, unsigned input_id, const Flit& flit) {
    InputController::accept(state_, t, input_id, flit);
    *active_ |= wake_bit_;
  }

  /// One clock cycle. True while there is work that no arrival will announce.
  bool evaluate(Cycle t) { return evaluate(state_, t); }
  /// The same for a router of which only the registers are at hand.
  static bool evaluate(RouterState, Cycle t);
  /// Clears everything in the router, its interface apart; flits in it are lost. In the place of evaluate().
  void clear();

  // --- What a recovery unit may do to the virtual channels (ids: port · virtual channels + vc) ---
  // hold and reroute without a unit: SC_REPORT_FATAL "flitmend/recovery".
  /// The virtual channel takes and discards flits up to the next tail, then is idle.
  void absorb(Cycle, unsigned input_id);
  /// Appends a flit (a broken tail) behind what is in the buffer, as if it had arrived.
  void append(Cycle, unsigned input_id, const Flit&);
  /// Discards what is in the buffer, copies included, a flit a cycle with its credit; the output is
  /// released at once, the route FSM goes to IDLE when the buffer is empty.
  void flush_input(Cycle, unsigned input_id);
  /// Discards what stands in the output buffer.
  void flush_output(unsigned output_id);
  /// Gives the head at the front back to route computation, its output released.
  void reroute(Cycle, unsigned input_id);
  /// Keeps an output virtual channel from being given away, and ends that.
  void hold(unsigned output_id, bool held);
  /// Two-step flow control: frees the oldest copy (the credit goes back), or makes all copies unsent again.
  /// The message of a head among them then has the routing state and the hops again with which the head left;
  /// so the head that left must be gone, or the copies get a message of their own first.
  void free_copy(Cycle, unsigned input_id);
  void rewind(unsigned input_id);
  /// Whether RouterRecovery::evaluate is called every cycle.
  void set_recovery_active(bool active) { recovery_active_ = active; }

 private:
  template <bool kOneWord, bool kPlain>
  friend class RouterCycle;
  /// What the head among retained copies said when it left (two-step flow control).
  struct KeptHead {
    std::uint64_t state = 0;
    std::uint16_t hops = 0;
  };

  void start_of_simulation() override;
  void check_ring(const char* side, unsigned port, const CreditWires&, unsigned delay) const;
  void require_unit(const char* operation) const;
  VcTarget arrivals_by_vc(Arrival, unsigned port);
  ArrivalTarget arrivals_by_port(Arrival, unsigned port);
  void control_arrived(Cycle, unsigned slot);
  /// Takes over the fault status of all ports' channels as of that cycle.
  void update_fault_status(Cycle);
  void discard(Cycle, unsigned id, const Flit&);
  /// The front flit of a buffer leaves and its copy stays.
  void keep_copy(unsigned id);
  void absorb_arrived(Cycle);
  [[gnu::noinline, gnu::cold]] void too_many_candidates(Cycle) const;

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
  std::vector<KeptHead> kept_heads_;  ///< by input id and place in the buffer, where copies are kept
  bool recovery_active_ = false;
  RouterRecovery* recovery_ = nullptr;
  RandomStream random_;
  std::vector<std::unique_ptr<InputController>> inputs_;
  std::vector<std::unique_ptr<OutputController>> outputs_;
  std::unique_ptr<VcAllocator> vc_allocator_;
  std::unique_ptr<SwitchAllocator> switch_allocator_;
  std::unique_ptr<Crossbar> crossbar_;
  Word* wake_;  ///< of a router alone: words that nobody reads
  Word* active_;
  Word wake_bit_ = 0;
};

}  // namespace flitmend
