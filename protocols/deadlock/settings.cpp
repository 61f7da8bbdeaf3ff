// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/settings.h"

namespace flitmend {

void DeadlockSettings::visit(SettingsVisitor& v) {
  v.begin_section("deadlock", "How deadlocks are detected, and what ends them.");
  v.key({"watchdog", "", "What a run does when virtual channels wait for each other for ever."}, watchdog,
        {{"stop", "print the cycle and end with exit status 4"}, {"off", "do not check"}});
  v.key({"recovery", "", "What ends a deadlock."}, recovery,
        {{"none", "nothing: the routing must be free of deadlock"},
         {"compressionless",
          "a message that makes no progress for recovery.timeout is torn down by its source and sent again; "
          "needs recovery.protocol fcr. The watchdog is off"}});
  v.end_section();
}

}  // namespace flitmend
