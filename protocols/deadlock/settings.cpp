// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/settings.h"

namespace flitmend {

void DeadlockSettings::visit(SettingsVisitor& v) {
  v.begin_section("deadlock", "How deadlocks are detected, and what ends them.");
  v.key({"watchdog", "", "What a run does when virtual channels wait for each other forever.", kAlways},
        watchdog,
        {{"stop", "print the cycle and end with exit status 4"},
         {"count",
          "count it and continue; heads whose time-out was justified are counted too (deadlock in "
          "stats.json). If "
          "nothing ends the deadlock, the run ends in its drain, as with stop"},
         {"off", "do not check"}});
  v.key({"recovery", "", "What ends a deadlock.", kAlways}, recovery,
        {{"none", "nothing: the routing must be free of deadlock"},
         {"compressionless",
          "a message that makes no progress for recovery.timeout is torn down by its source and sent again; "
          "needs recovery.protocol fcr. The watchdog is off"},
         {"disha",
          "a head that has waited for deadlock.timeout captures the token of the network and leaves through "
          "the deadlock buffers, one in every router [Anjan95]. On meshes, tori and hypercubes without "
          "faults. The watchdog counts"}});
  v.key(
      {"timeout", "cycles",
       "With recovery disha: cycles for which a head waits for an output virtual channel before it requests "
       "the token.",
       KeyEffect::only_with("deadlock.recovery", "disha")},
      timeout, {1, 65535});
  v.end_section();
}

}  // namespace flitmend
