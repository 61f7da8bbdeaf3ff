// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "base/registry.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

/// An optional statistic: defined in its own file, listed in testbench/statistics/statistics.def. Its name is
/// a key of `statistics`, which requests it, and of stats.json.
struct StatisticEntry {
  std::string_view name;
  std::string_view description;  ///< of the key that requests it
  std::unique_ptr<OptionalStatistic> (*make)(const StatisticContext&);
};

const Registry<StatisticEntry>& optional_statistics();

}  // namespace flitmend
