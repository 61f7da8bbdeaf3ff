// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// Tails that waited for shadow registers (TailSignals), at routers and injectors.
struct TailWaits {
  std::uint64_t tails = 0;
  std::uint64_t cycles = 0;  ///< for how long, in all
};

}  // namespace flitmend
