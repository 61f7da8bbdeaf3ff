// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/settings.h"

namespace flitmend {

void StatisticsSettings::visit(SettingsVisitor& v) {
  v.begin_section("statistics", "Optional statistics.");
  v.key({"channels", "", "Count the flits of every channel between routers and write its utilisation."},
        channels);
  v.key({"histogram", "", "Write the distribution of the total latency."}, histogram);
  v.end_section();
}

}  // namespace flitmend
