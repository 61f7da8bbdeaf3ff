// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/settings.h"

#include "protocols/recovery/registry.h"

namespace flitmend {

void RecoverySettings::visit(SettingsVisitor& v) {
  v.begin_section("recovery", "What becomes of messages that faults hit.");
  v.key({"protocol", "", "Recovery protocol."}, protocol, recovery_protocols().choices());
  v.key(
      {"timeout", "cycles",
       "end-to-end: how long a sender waits for an acknowledgement after the last flit, doubled after every "
       "attempt up to 32 times; 0: four round trips at zero load and four message lengths."},
      timeout, {0, 1 << 30});
  v.key({"retry_limit", "",
         "end-to-end: attempts without an answer after which a destination is given up; messages to it are "
         "then "
         "undeliverable."},
        retry_limit, {1, 1 << 30});
  v.end_section();
}

}  // namespace flitmend
