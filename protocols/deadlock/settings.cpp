// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/settings.h"

namespace flitmend {

void DeadlockSettings::visit(SettingsVisitor& v) {
  v.begin_section("deadlock", "How deadlocks are detected.");
  v.key({"watchdog", "", "What a run does when virtual channels wait for each other for ever."}, watchdog,
        {{"stop", "print the cycle and end with exit status 4"}, {"off", "do not check"}});
  v.end_section();
}

}  // namespace flitmend
