// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/node/network_interface.h"

namespace flitmend {

/// Queues a composed control message before all others, and counts it.
inline void send_control(NetworkInterface& interface, MessageIndex message) {
  RecoveryCounters& counters = interface.context().recovery_counters;
  ++counters.control_messages;
  counters.control_flits += interface.context().messages[message].length;
  interface.push(message, InjectionPriority::control);
}

}  // namespace flitmend
