// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

#define FLITMEND_STATISTIC(x) StatisticEntry x##_statistic();
#include "testbench/statistics/statistics.def"
#undef FLITMEND_STATISTIC

const Registry<StatisticEntry>& optional_statistics() {
  static const Registry<StatisticEntry> registry("statistic", [] {
    std::vector<StatisticEntry> all;
#define FLITMEND_STATISTIC(x) all.push_back(x##_statistic());
#include "testbench/statistics/statistics.def"
#undef FLITMEND_STATISTIC
    return all;
  }());
  return registry;
}

}  // namespace flitmend
