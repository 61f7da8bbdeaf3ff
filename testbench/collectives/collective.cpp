// SPDX-License-Identifier: Apache-2.0
#include "testbench/collectives/collective.h"

#include <algorithm>

#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {

#define FLITMEND_COLLECTIVE(x) CollectiveEntry x##_collective();
#include "testbench/collectives/collectives.def"
#undef FLITMEND_COLLECTIVE

const Registry<CollectiveEntry>& collectives() {
  static const Registry<CollectiveEntry> registry("collective", {
#define FLITMEND_COLLECTIVE(x) x##_collective(),
#include "testbench/collectives/collectives.def"
#undef FLITMEND_COLLECTIVE
                                                                });
  return registry;
}

const CollectiveEntry& collective_of(std::string_view operation, std::string_view algorithm) {
  std::vector<std::string_view> operations, algorithms;
  for (const CollectiveEntry& entry : collectives().entries()) {
    if (std::ranges::find(operations, entry.operation->name) == operations.end())
      operations.push_back(entry.operation->name);
    if (entry.operation->name != operation) continue;
    if (algorithm.empty() || entry.algorithm == algorithm) return entry;
    algorithms.push_back(entry.algorithm);
  }
  const auto unknown = [](const std::string& what, std::string_view name,
                          const std::vector<std::string_view>& known) {
    return ConfigurationError(
        escaped_text("unknown " + what + " " + shown_value(name) + did_you_mean(name, known)));
  };
  if (algorithms.empty()) throw unknown("collective", operation, operations);
  throw unknown("algorithm of " + std::string(operation), algorithm, algorithms);
}

}  // namespace flitmend
