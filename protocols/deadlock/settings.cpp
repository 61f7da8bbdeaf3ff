// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/settings.h"

namespace flitmend {

void DeadlockSettings::visit(SettingsVisitor& v) {
  v.begin_section("deadlock", "What is done about deadlocks.");
  v.key({"watchdog", "", "What a run does that finds virtual channels which wait for each other for ever."},
        watchdog, {{"stop", "prints the cycle and ends with status 4"}, {"off", "nobody looks"}});
  v.end_section();
}

}  // namespace flitmend
