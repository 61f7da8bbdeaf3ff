// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/unused_sweep_keys.h"

#include <algorithm>
#include <optional>

#include "base/errors.h"

namespace flitmend {

std::vector<UnusedKey> unused_keys(const SweepPlan& plan) {
  constexpr std::int64_t kMostPoints = 500;
  const std::int64_t step = std::max<std::int64_t>(1, plan.units() / kMostPoints);
  std::optional<std::vector<UnusedKey>> common;
  for (std::int64_t unit = 0; unit < plan.units() && !(common && common->empty()); unit += step) {
    std::vector<UnusedKey> here;
    try {
      here = unused_keys(plan.configuration(plan.point(unit)), KeyReader::run);
    } catch (const ConfigurationError&) {
      continue;  // the point itself will report the error
    }
    if (!common)
      common = std::move(here);
    else
      std::erase_if(*common, [&](const UnusedKey& key) {
        return std::none_of(here.begin(), here.end(),
                            [&](const UnusedKey& other) { return other.path == key.path; });
      });
  }
  return common.value_or(std::vector<UnusedKey>());
}

}  // namespace flitmend
