// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

class Disha;

/// The part of Disha in one router: it times the heads that wait, passes the token on, and moves the flits of
/// the lane. Its registers are in the router's block: LaneState, HeadRoute::waited.
class DishaUnit final : public RouterRecovery {
 public:
  DishaUnit(const Disha&, Router&);

  /// Heads, which start a timer; a router without any may rest.
  FlitHooks hooks() const override { return kHeadHook; }
  bool flit_arrived(Router&, Cycle, unsigned input_id, const Flit&) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  void evaluate(Router&, Cycle) override;
  void router_reset(Router&) override;

  // Faults, which cannot be in a network with Disha.
  void channel_status_changed(Router&, Cycle, unsigned, bool, bool) override {}
  void router_failed(Router&) override {}
  void router_repaired(Router&) override {}

 private:
  /// The token starts in router 0.
  void power_up(Router&);
  /// Input virtual channels whose heads are timed: of those of the network ports, as a message that is still
  /// at its source holds nothing that others wait for.
  Word timed(const RouterState&, unsigned word) const;
  void empty_deadlock_buffer(RouterState&, Cycle);
  void fill_deadlock_buffer(RouterState&, Cycle);
  void time_heads(RouterState&);
  /// The head that has waited longest of those whose time-out has passed; kNoVc: there is none.
  unsigned longest_waiting(const RouterState&) const;
  void pass_token(RouterState&, Cycle);
  bool busy(const RouterState&) const;

  const Disha& disha_;
  NetworkContext& context_;
  unsigned network_ids_;  ///< input virtual channels of the network ports: the lowest ones
};

}  // namespace flitmend
