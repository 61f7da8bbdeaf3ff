// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"

namespace flitmend::utp {

/// The router's part of UTP [Dally94]: a BreakUnit that does not absorb what a fault has cut, but restarts it
/// from the copies in this router (RouterOperations::restart).
class Unit final : public BreakUnit {
 public:
  static constexpr ControlLineSet kControlLines = BreakUnit::kControlLines | line_bit(ControlLine::copied);

  using BreakUnit::BreakUnit;
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void evaluate(Router&, Cycle) override;

 protected:
  void cut(Router&, Cycle, unsigned input_id) override;

 private:
  /// False if no virtual channel is in BACKUP.
  static bool end_backups(Router&, Cycle);
};

}  // namespace flitmend::utp
