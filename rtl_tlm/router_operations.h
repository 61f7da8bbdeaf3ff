// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <vector>

#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router_wiring.h"

namespace flitmend {

/// What the recovery unit of a router may do to the router's virtual channels (ids: port · virtual channels +
/// vc). hold and reroute without a unit: SC_REPORT_FATAL "flitmend/recovery".
class RouterOperations : public RouterWiring {
 public:
  using RouterWiring::attach;
  /// The recovery unit of the chosen protocol; before the first cycle (SC_REPORT_FATAL "flitmend/recovery").
  void attach(RouterRecovery&);
  /// Whether RouterRecovery::evaluate is called every cycle.
  void set_recovery_active(bool active) { recovery_active_ = active; }

  /// The virtual channel takes and discards flits up to the next tail, then is idle.
  void absorb(Cycle, unsigned input_id);
  /// Appends a flit (a broken tail) behind what is in the buffer, as if it had arrived. Whoever decides to
  /// append it tells BrokenMessages, when it decides.
  void append(Cycle, unsigned input_id, const Flit&);
  /// Discards what is in the buffer, copies included, a flit a cycle with its credit; the output is
  /// released at once, the route FSM goes to IDLE when the buffer is empty.
  void flush_input(Cycle, unsigned input_id);
  /// What stands in the output buffer is lost in a fault.
  void flush_output(Cycle, unsigned output_id);
  /// Whether the tail of the last message that came to the virtual channel is still to come.
  bool awaits_tail(unsigned input_id) const;
  /// The flit that came last; meaningful while it awaits a tail.
  const Flit& last_flit(unsigned input_id) const;
  /// The output virtual channel is free, with all its credits: the next one is empty and idle.
  void restore_output(unsigned output_id);
  /// Gives the head at the front back to route computation, its output released.
  void reroute(Cycle, unsigned input_id);
  /// Keeps an output virtual channel from being given away, and ends that.
  void hold(unsigned output_id, bool held);
  /// Two-step flow control: frees the oldest copy (the credit goes back), or makes all copies unsent again.
  /// The message of a head among them then has the routing state and the hops again with which the head left;
  /// so the head that left must be gone, or the copies get a message of their own first.
  void free_copy(Cycle, unsigned input_id);
  void rewind(unsigned input_id);

 protected:
  RouterOperations(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~RouterOperations() override = default;

  RouterRecovery* recovery_ = nullptr;

 private:
  template <bool kOneWord, bool kPlain>
  friend class RouterCycle;
  /// What the head among retained copies said when it left (two-step flow control).
  struct KeptHead {
    std::uint64_t state = 0;
    std::uint16_t hops = 0;
  };

  Router& router();
  void require_unit(const char* operation) const;
  // Steps of the cycle (RouterCycle) that few cycles have.
  void control_arrived(Cycle, unsigned slot);
  void fault_status_arrived(Cycle, unsigned port, bool input_side);
  /// A head has no candidate. True if it is absorbed.
  [[gnu::noinline, gnu::cold]] bool no_way(Cycle, unsigned input_id, bool injected);
  void absorb_arrived(Cycle);
  void discard(Cycle, unsigned id, const Flit&);
  /// The front flit of a buffer leaves and its copy stays.
  void keep_copy(unsigned id);

  std::vector<KeptHead> kept_heads_;  ///< by input id and place in the buffer, where copies are kept
  bool recovery_active_ = false;
};

}  // namespace flitmend
