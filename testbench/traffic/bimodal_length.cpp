// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/bimodal_length.h"

#include <boost/format.hpp>

#include "testbench/traffic/length_registry.h"

namespace flitmend {

LengthEntry bimodal_length() {
  return {
      .name = "bimodal",
      .description = "message_length, or message_length_long with probability message_length_long_fraction",
      .options = {"message_length_long", "message_length_long_fraction"},
      .examples = {{.message_length = 3, .message_length_long = 11, .message_length_long_fraction = 0.25},
                   {.message_length_long_fraction = 0},
                   {.message_length_long_fraction = 1}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        const double fraction = s.message_length_long_fraction;
        if (!(fraction >= 0 && fraction <= 1))
          throw KeyError("traffic.message_length_long_fraction",
                         str(boost::format("%g; it must be from 0 to 1") % fraction));
        return std::make_unique<BimodalLength>(
            checked_length("traffic.message_length", s.message_length),
            checked_length("traffic.message_length_long", s.message_length_long), fraction);
      },
  };
}

}  // namespace flitmend
