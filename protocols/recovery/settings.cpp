// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/settings.h"

#include "protocols/recovery/registry.h"

namespace flitmend {

void RecoverySettings::visit(SettingsVisitor& v) {
  v.begin_section("recovery", "What becomes of messages that faults hit.");
  v.key({"protocol", "", "Recovery protocol."}, protocol, recovery_protocols().choices());
  v.end_section();
}

}  // namespace flitmend
