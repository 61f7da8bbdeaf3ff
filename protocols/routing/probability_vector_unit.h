// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "protocols/routing/probability_vectors.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

/// The part of the exchange of probability vectors in one router, around the router's recovery unit. Its
/// registers are in the router's block: VectorState, VectorPort, and the vectors.
class ProbabilityVectorUnit final : public RouterRecovery {
 public:
  ProbabilityVectorUnit(const ProbabilityVectorRule&, std::unique_ptr<RouterRecovery>, Router&);

  FlitHooks hooks() const override { return recovery_->hooks(); }
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  bool flit_arrived(Router& router, Cycle t, unsigned id, const Flit& flit) override {
    return recovery_->flit_arrived(router, t, id, flit);
  }
  void flit_crossed(Router& router, Cycle t, unsigned input_id, unsigned output_id,
                    const Flit& flit) override {
    recovery_->flit_crossed(router, t, input_id, output_id, flit);
  }
  void injection_killed(Router& router, Cycle t, unsigned id) override {
    recovery_->injection_killed(router, t, id);
  }
  void flit_absorbed(Router& router, Cycle t, unsigned id, const Flit& flit) override {
    recovery_->flit_absorbed(router, t, id, flit);
  }
  void router_reset(Router&) override;
  void router_failed(Router&) override;
  void router_repaired(Router&) override;
  bool has_requests(const Router& router) const override { return recovery_->has_requests(router); }
  bool timer_ends_wait(const Router& router, unsigned id) const override {
    return recovery_->timer_ends_wait(router, id);
  }
  void evaluate(Router&, Cycle) override;

 private:
  /// Nothing is known of the neighbours, and all elements are due.
  void power_up(Router&);
  /// Those ports whose link is healthy in both directions.
  Word healthy_ports(const RouterState&) const;
  /// Element 1 follows from the faulty set.
  void compute_first(RouterState&);
  /// Computes an element from those of the neighbours. If it changes, it is due.
  void compute(RouterState&, unsigned element);
  void begin_round(RouterState&, Cycle);
  void send_bits(RouterState&, Cycle);

  const ProbabilityVectorRule& rule_;
  std::unique_ptr<RouterRecovery> recovery_;
  std::vector<const double*> neighbours_;  ///< by port: scratch
  std::vector<unsigned> arrived_;          ///< numbers of the elements that are complete in this cycle
};

}  // namespace flitmend
