// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace flitmend {

/// The 97.5 % point of Student's t: half of a two-sided 95 % interval. At least one degree of freedom.
/// Neither exp nor log nor pow is used for it, because the C library's differ in the last bit between
/// processors.
double students_t_975(std::size_t degrees_of_freedom);

}  // namespace flitmend
