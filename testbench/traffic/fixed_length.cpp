// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/fixed_length.h"

#include "testbench/traffic/length_registry.h"

namespace flitmend {

LengthEntry fixed_length() {
  return {
      .name = "fixed",
      .description = "message_length",
      .examples = {{.message_length = 1}, {.message_length = 65535}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        return std::make_unique<FixedLength>(checked_length("traffic.message_length", s.message_length));
      },
  };
}

}  // namespace flitmend
