// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>

#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router_wiring.h"

namespace flitmend {

/// What the recovery unit of a router may do to the router's virtual channels (ids: port · virtual channels +
/// vc). Without a unit, hold and reroute report SC_REPORT_FATAL "flitmend/recovery".
class RouterOperations : public RouterWiring {
 public:
  using RouterWiring::attach;
  /// Attaches the recovery unit. Before the first cycle (else SC_REPORT_FATAL "flitmend/recovery").
  void attach(RouterRecovery&);
  /// Whether RouterRecovery::evaluate is called every cycle.
  void set_recovery_active(bool active) { state_.header().recovery_active = active; }
  bool recovery_active() const { return state_.header().recovery_active; }

  /// Changes the flits that its unit is told about.
  void set_hooks(FlitHooks hooks) { state_.header().hooks = hooks & 7; }

  /// The virtual channel takes and discards flits up to the next tail, then is idle.
  void absorb(Cycle, unsigned input_id);
  /// Appends a flit (a broken tail) to the buffer, as if it had arrived. The caller tells BrokenMessages as
  /// soon as it decides to append it.
  void append(Cycle, unsigned input_id, const Flit&);
  /// Discards the contents of the buffer, copies included, one flit and credit per cycle. The output is
  /// released at once; the route FSM goes to IDLE when the buffer is empty, at once if it is.
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
  /// Circuits: the head at the front leaves for the previous router; nothing else is in the buffer.
  void drop_head(Cycle, unsigned input_id);
  /// Circuits: the head has come back from the output, and is at the front again.
  void take_back(Cycle, unsigned input_id);
  /// Keeps an output virtual channel unallocated, or stops doing so.
  void hold(unsigned output_id, bool held);
  /// Two-step flow control: all copies become unsent again, after a restart head from the head-copy register
  /// unless the head itself is among them. They, and what is still to come, are a new packet of the same
  /// message, whose first data flit (FSN) is that of the oldest copy. Its output is released. The route FSM
  /// is in BACKUP until end_backup is called in the cycle of HeadRoute::ready. Call flush_output first.
  void restart(Cycle, unsigned input_id);
  /// The head at the front requests a route from cycle t on.
  void end_backup(Cycle t, unsigned input_id);
  void injection_killed(Cycle, unsigned input_id) override;

 protected:
  RouterOperations(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~RouterOperations() override = default;

  RouterRecovery* recovery_ = nullptr;

 private:
  template <CycleFeatures>
  friend class RouterCycle;
  Router& router();
  void require_unit(const char* operation) const;
  // Steps of the cycle (RouterCycle) that are rarely needed.
  void control_arrived(Cycle, unsigned slot);
  void fault_status_arrived(Cycle, unsigned port, bool input_side);
  /// A head has no candidate. True if it is absorbed.
  [[gnu::noinline, gnu::cold]] bool no_way(Cycle, unsigned input_id, bool injected);
  void absorb_arrived(Cycle);
  void discard(Cycle, unsigned id, const Flit&);
  /// A descriptor for the rest of a packet, from that flit on.
  MessageIndex rest_of(MessageIndex packet, const HeadCopy&, std::uint32_t flit, Cycle);
  bool refused(Cycle, unsigned id, const Flit&) override;
  /// Empties an output buffer; calls f(message) for every flit.
  template <class F>
  void empty_output(unsigned output_id, F&& f);
  /// Circuits: tells the interface which of its circuits have ended.
  void end_circuits(Cycle);
};

}  // namespace flitmend
