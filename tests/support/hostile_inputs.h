// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "support/hostile_start.h"
#include "support/text_mutator.h"

namespace flitmend::test {

/// Makes starts of the program with inputs of one kind.
struct HostileGenerator {
  const char* name;
  HostileStart (*make)(TextMutator& random);
};

/// Configurations, platforms, graphs, tables of routes, permutations, traces, sweeps, campaigns, studies and
/// command lines.
const std::vector<HostileGenerator>& hostile_generators();

}  // namespace flitmend::test
