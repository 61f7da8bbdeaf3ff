// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/uniform.h"

#include "testbench/traffic/pattern_registry.h"

namespace flitmend {

PatternEntry uniform_pattern() {
  return {
      .name = "uniform",
      .description = "every other node with equal probability (include_self: every node)",
      .options = {"include_self"},
      .examples = {{.include_self = true}},
      .make = [](const PatternContext& c) -> std::unique_ptr<DestinationPattern> {
        return std::make_unique<UniformPattern>(c.participants, c.settings.include_self);
      },
  };
}

}  // namespace flitmend
