// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace flitmend {

/// The deviation from Lee distances, in percent, that the measured column of [AlSadi03 Table 3] implies as it
/// is printed (a fifth of the nodes faulty): the mean of (distance − l) / l over all nodes but one. None for
/// a k that is not in the table.
std::optional<double> printed_deviation_percent(std::uint32_t k);
/// The same for Theorem 2 and any number of faulty nodes.
double theorem2_deviation_percent(std::uint32_t k, std::uint32_t faults);

}  // namespace flitmend
