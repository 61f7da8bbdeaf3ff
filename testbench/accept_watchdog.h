// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

/// Ends the simulation (sc_stop) when a target has not accepted a request for `limit` cycles: everything that
/// waits for it would wait for ever.
class AcceptWatchdog : private CycleObserver {
 public:
  /// The fabric must outlive it. `limit` ≥ 1.
  AcceptWatchdog(Fabric&, Cycle limit);

  /// Why it has ended the simulation; empty if it has not.
  const std::string& reason() const { return reason_; }

 private:
  void cycle_done(Cycle, const Word*, const Word*, unsigned) override;

  Fabric& fabric_;
  Cycle limit_;
  Cycle next_look_;
  std::string reason_;
};

}  // namespace flitmend
