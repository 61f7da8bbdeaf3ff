// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "protocols/recovery/guard.h"
#include "protocols/recovery/settings.h"

namespace flitmend::apcs {

/// What the ends of APCS need to know.
struct Parameters {
  std::uint32_t first_backoff = 0;  ///< cycles: the longest wait before the first retry
  std::uint32_t retry_limit = 0;    ///< kills after which a message is undeliverable
  Guard guard;

  explicit Parameters(const RecoverySettings& s)
      : first_backoff(static_cast<std::uint32_t>(s.backoff.kill)),
        retry_limit(static_cast<std::uint32_t>(s.retry_limit)),
        guard(Guard::from(s)) {}

  /// The longest wait before a retry, given the number of kills before the last one.
  std::uint32_t backoff(std::uint32_t kills) const {
    const std::uint64_t longest = std::uint64_t{first_backoff} << std::min(kills, guard.most_doublings);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(longest, 1u << 30));
  }
};

}  // namespace flitmend::apcs
