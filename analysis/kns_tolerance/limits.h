// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// The most dead links that a combination may have.
inline constexpr std::int64_t kMaxKnsFaults = 4096;
/// The most combinations that are drawn: streams of random numbers are numbered with 32 bits.
inline constexpr std::uint64_t kMaxKnsSamples = 4'000'000'000;
/// The most combinations that an exhaustive survey visits: hours of work.
inline constexpr std::uint64_t kMaxKnsCombinations = 4'000'000'000;

/// The most work of a survey, combinations times f²·n: hours, at some 2·10^-8 s each.
inline constexpr double kMaxKnsWork = 1e12;
/// The most routers for which the tables of all of them are built: N² lists are chosen.
inline constexpr std::uint32_t kMaxKnsTableRouters = 1u << 14;

/// 0 … L, and not above kMaxKnsFaults. Throws ConfigurationError.
void check_fault_count(const KnsShape& shape, std::int64_t faults);

}  // namespace flitmend
