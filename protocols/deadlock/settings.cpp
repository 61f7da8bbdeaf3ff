#include "protocols/deadlock/settings.h"

namespace flitmend {

void DeadlockSettings::visit(SettingsVisitor& v) {
  v.begin_section("deadlock", "What is done about deadlocks.");
  v.key({"recovery", "", "Deadlock recovery."}, recovery,
        {{"none", "the routing algorithm has to prevent deadlocks"}});
  v.end_section();
}

}  // namespace flitmend
