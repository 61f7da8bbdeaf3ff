// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/uniform_length.h"

#include "testbench/traffic/length_registry.h"

namespace flitmend {

LengthEntry uniform_length() {
  return {
      .name = "uniform",
      .description = "message_length_min to message_length_max with equal probability",
      .options = {"message_length_min", "message_length_max"},
      .examples = {{.message_length = 9}, {.message_length_min = 3, .message_length_max = 14}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        const LengthLimits l = length_limits(s, false);
        return std::make_unique<UniformLength>(l.min, l.max);
      },
  };
}

}  // namespace flitmend
