// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/settings.h"

namespace flitmend {

const Registry<RecoveryEntry>& recovery_protocols() {
  static const Registry<RecoveryEntry> registry("recovery protocol",
                                                {{"none", "messages that a fault hits are lost"}});
  return registry;
}

void RecoverySettings::visit(SettingsVisitor& v) {
  v.begin_section("recovery", "How messages that faults have hit are repaired.");
  v.key({"protocol", "", "Recovery protocol."}, protocol, recovery_protocols().choices());
  v.end_section();
}

}  // namespace flitmend
