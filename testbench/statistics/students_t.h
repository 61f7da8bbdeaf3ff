// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace flitmend {

/// The 97.5 % quantile of Student's t [Student08], for a two-sided 95 % interval, with at least one degree of
/// freedom. Computed without exp, log and pow, whose last bit in the C library differs between processors.
double students_t_975(std::size_t degrees_of_freedom);

}  // namespace flitmend
