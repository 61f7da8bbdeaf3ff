// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/registry.h"

namespace flitmend {

#define FLITMEND_RECOVERY(x) RecoveryEntry x##_recovery();
#include "protocols/recovery/protocols.def"
#undef FLITMEND_RECOVERY

const Registry<RecoveryEntry>& recovery_protocols() {
  static const Registry<RecoveryEntry> registry("recovery protocol", [] {
    std::vector<RecoveryEntry> all;
#define FLITMEND_RECOVERY(x) all.push_back(x##_recovery());
#include "protocols/recovery/protocols.def"
#undef FLITMEND_RECOVERY
    return all;
  }());
  return registry;
}

bool spreads_packets(const RecoveryNeeds& needs) {
  return needs.has(Mechanism::copies) || needs.has(Mechanism::circuits) || needs.has(Mechanism::tail_signals);
}

std::uint32_t extra_flits(const RecoveryEntry& entry, const RecoverySettings& recovery,
                          const RoutingSettings& routing, const HardwareParameters& hardware,
                          const Topology& topology) {
  return entry.make(recovery, routing)->equipped(hardware, topology).extra_flits;
}

}  // namespace flitmend
