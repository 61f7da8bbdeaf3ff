// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <vector>

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
  void set_recovery_active(bool active) { recovery_active_ = active; }

  /// The virtual channel takes and discards flits up to the next tail, then is idle.
  void absorb(Cycle, unsigned input_id);
  /// Appends a flit (a broken tail) to the buffer, as if it had arrived. The caller tells BrokenMessages as
  /// soon as it decides to append it.
  void append(Cycle, unsigned input_id, const Flit&);
  /// Discards the contents of the buffer, copies included, one flit and credit per cycle. The output is
  /// released at once; the route FSM goes to IDLE when the buffer is empty.
  void flush_input(Cycle, unsigned input_id);
  /// The contents of the output buffer are lost in a fault.
  void flush_output(Cycle, unsigned output_id);
  /// Whether the tail of the last message that came to the virtual channel has not arrived yet.
  bool awaits_tail(unsigned input_id) const;
  /// The last flit that arrived; meaningful while a tail is awaited.
  const Flit& last_flit(unsigned input_id) const;
  /// Makes an output virtual channel free, with all its credits: the next router's virtual channel is empty
  /// and idle.
  void restore_output(unsigned output_id);
  /// Returns the head at the front to route computation, and releases its output.
  void reroute(Cycle, unsigned input_id);
  /// Keeps an output virtual channel unallocated, or stops doing so.
  void hold(unsigned output_id, bool held);
  /// Two-step flow control: free_copy frees the oldest copy and returns its credit; rewind makes all copies
  /// unsent again. If a head is among them, its message's routing state and hop count are restored to their
  /// values when it left. So the original head must no longer exist, or the copies must first get their own
  /// message.
  void free_copy(Cycle, unsigned input_id);
  void rewind(unsigned input_id);

 protected:
  RouterOperations(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~RouterOperations() override = default;

  RouterRecovery* recovery_ = nullptr;

 private:
  template <bool kOneWord, bool kPlain, bool kTails>
  friend class RouterCycle;
  /// The routing state and hop count of a retained head when it left (two-step flow control).
  struct KeptHead {
    std::uint64_t state = 0;
    std::uint16_t hops = 0;
  };

  Router& router();
  void require_unit(const char* operation) const;
  // Steps of the cycle (RouterCycle) that are rarely needed.
  void control_arrived(Cycle, unsigned slot);
  void fault_status_arrived(Cycle, unsigned port, bool input_side);
  /// A head has no candidate. True if it is absorbed.
  [[gnu::noinline, gnu::cold]] bool no_way(Cycle, unsigned input_id, bool injected);
  void absorb_arrived(Cycle);
  void discard(Cycle, unsigned id, const Flit&);
  /// The front flit of a buffer leaves, and its copy stays.
  void keep_copy(unsigned id);

  std::vector<KeptHead> kept_heads_;  ///< by input id and buffer slot; empty if no copies are kept
  bool recovery_active_ = false;
};

}  // namespace flitmend
