// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// The most faulty links that a combination may have.
inline constexpr std::int64_t kMaxKnsFaults = 4096;
/// The most combinations that can be drawn: random streams have 32-bit numbers.
inline constexpr std::uint64_t kMaxKnsSamples = 4'000'000'000;
/// The most combinations that an exhaustive survey visits: hours of work.
inline constexpr std::uint64_t kMaxKnsCombinations = 4'000'000'000;

/// The most work of a survey, combinations times f²·n: hours, at about 2·10^-8 s each.
inline constexpr double kMaxKnsWork = 1e12;
/// The most routers for which the tables of all routers are built: this chooses N² lists.
inline constexpr std::uint32_t kMaxKnsTableRouters = 1u << 14;

/// Throws ConfigurationError unless the number is 0 … L and at most kMaxKnsFaults.
void check_fault_count(const KnsShape& shape, std::int64_t faults);

}  // namespace flitmend
