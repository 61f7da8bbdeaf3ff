// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"

namespace flitmend::utp {

/// The router's part of UTP [Dally94]: it does not absorb what a fault has cut, but restarts it from the
/// copies in this router (Router::restart).
class Unit final : public RouterRecovery, private CutHandling {
 public:
  static constexpr ControlLineSet kControlLines = BreakUnit::kControlLines | line_bit(ControlLine::copied);

  explicit Unit(unsigned head_wait) : break_(*this, head_wait) {}
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router& router, Cycle t, unsigned port, bool input_side) override {
    break_.control_arrived(router, t, port, input_side);
  }
  void router_reset(Router& router) override { break_.router_reset(router); }
  void router_failed(Router& router) override { break_.router_failed(router); }
  void router_repaired(Router& router) override { break_.router_repaired(router); }
  bool has_requests(const Router& router) const override { return break_.has_requests(router); }
  void evaluate(Router&, Cycle) override;
  bool timer_ends_wait(const Router& router, unsigned id) const override {
    return break_.timer_ends_wait(router, id);
  }

  const BreakUnit& break_unit() const { return break_; }

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  /// False if no virtual channel is in BACKUP.
  static bool end_backups(Router&, Cycle);

  BreakUnit break_;
};

}  // namespace flitmend::utp
