// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/triangular_length.h"

#include "testbench/traffic/length.h"

namespace flitmend {

LengthEntry triangular_length() {
  return {
      .name = "triangular",
      .description = "1 to 2·message_length − 1, most often message_length",
      .examples = {{.message_length = 1}, {.message_length = 12}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        const std::uint32_t mean = checked_length("traffic.message_length", s.message_length);
        checked_length("traffic.message_length", 2 * s.message_length - 1);
        return std::make_unique<TriangularLength>(mean);
      },
  };
}

}  // namespace flitmend
