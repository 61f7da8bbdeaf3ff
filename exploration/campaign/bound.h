// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// The exact one-sided upper bound of a probability of which `failures` in `trials` were seen
/// [ClopperPearson34]: with 0 failures 1 − (1 − confidence)^(1/trials). 1 without trials.
double upper_bound(std::uint64_t failures, std::uint64_t trials, double confidence);

}  // namespace flitmend
