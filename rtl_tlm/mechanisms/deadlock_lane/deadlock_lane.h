// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// The lane of deadlock buffers: one buffer of one flit in every router, through which the flits of one
/// message at a time leave a deadlock [Anjan95]. They share the wires between routers with the virtual
/// channels, and have priority: no flit waits in a deadlock buffer for longer than a cycle, so the lane needs
/// no credits. Static functions on a router's registers; they exist only with
/// HardwareParameters::deadlock_timeout.
class DeadlockLane {
 public:
  static LaneState& registers(RouterState& state) { return *state.row<rows::Lane>(); }
  static const LaneState& registers(const RouterState& state) { return *state.row<rows::Lane>(); }

  /// A flit has arrived at a port for the deadlock buffer. A flit that finds another one there is a model
  /// error (sc_report "flitmend/protocol").
  static void receive(RouterState&, Cycle t, unsigned port);
  /// The head at the front of an input virtual channel, which waits for an output virtual channel, withdraws
  /// its requests: up to its tail, its message leaves through the deadlock buffer (RouteFsm::lane).
  static void divert(RouterState& state, unsigned input_id) {
    HeadRoute& route = state.route(input_id);
    route.stage = PipelineStage::none;
    route.ready = kNever;  // it takes no further part in route computation and VC allocation
  }
  /// The front flit of such a virtual channel goes into the deadlock buffer, which is empty.
  static void take(RouterState&, Cycle t, unsigned input_id);
  /// The flit in the deadlock buffer leaves for the next router's, by a network port. Nothing else leaves by
  /// that port in this cycle; call it before switch allocation.
  static void send(RouterState&, Cycle t, unsigned port);
  /// In the next cycle: flits may leave by that port again.
  static void give_back_port(RouterState&);

 private:
  static void withhold_port(RouterState&, unsigned port);
  [[gnu::noinline, gnu::cold]] static void overflow(const RouterState&, Cycle, unsigned port);
};

}  // namespace flitmend
