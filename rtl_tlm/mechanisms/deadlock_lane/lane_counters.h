// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// What recovery from deadlock through a lane of deadlock buffers has done, all phases of the run.
struct LaneCounters {
  std::uint64_t timeouts = 0;  ///< heads whose time-out has passed
  std::uint64_t captures = 0;  ///< heads that have captured the token
  std::uint64_t messages = 0;  ///< those of them that have left for the lane
  std::uint64_t flits = 0;     ///< flits of these
};

}  // namespace flitmend
