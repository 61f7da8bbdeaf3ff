// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/fabric/stalled_elements.h"

namespace flitmend {

/// Ends the simulation (sc_stop) when an element keeps a transaction for longer than a limit: everything that
/// waits for it would wait forever.
class ElementWatchdog : private CycleObserver {
 public:
  /// In cycles; 0: any number.
  struct Limits {
    Cycle accept = 0;    ///< until END_REQ, and until END_RESP
    Cycle response = 0;  ///< until BEGIN_RESP
    bool any() const { return accept > 0 || response > 0; }
  };
  /// The fabric must outlive it. Limits::any() must hold.
  ElementWatchdog(Fabric&, const Limits&);

  /// Why it has ended the simulation; empty if it has not.
  const std::string& reason() const { return reason_; }

 private:
  void cycle_done(Cycle, const Word*, const Word*, unsigned) override;
  /// The limit that ends the element's time first; 0: none. A target that does not accept a request does not
  /// answer it either.
  Cycle limit_of(const StalledElement&) const;

  Fabric& fabric_;
  Limits limits_;
  Cycle interval_;  ///< an element that begins to stall cannot be overdue earlier
  Cycle next_look_;
  std::string reason_;
};

}  // namespace flitmend
