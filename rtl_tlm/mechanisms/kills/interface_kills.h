// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>

#include "rtl_tlm/node/injector.h"
#include "rtl_tlm/node/receiver.h"

namespace flitmend {

/// Kill lines at a network interface, in a cycle in which something arrives there.
class InterfaceKills {
 public:
  /// FKILL, on the ejection channel.
  static void receive(Channel& ejection, Cycle t, Receiver& receiver) {
    if (const VcMask vcs = ejection.take(ControlLine::forward_kill, t)) receiver.rest_torn_down(t, vcs);
  }
  /// BKILL, on the injection channel.
  static void receive(Channel& injection, Cycle t, Injector& injector) {
    const VcMask no_route = injection.take(ControlLine::no_route, t);
    for (VcMask rest = injection.take(ControlLine::backward_kill, t); rest; rest &= rest - 1) {
      const auto vc = static_cast<unsigned>(std::countr_zero(rest));
      injector.torn_down(t, vc, no_route >> vc & 1);
    }
  }
};

}  // namespace flitmend
