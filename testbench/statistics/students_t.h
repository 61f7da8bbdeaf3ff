// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitmend {

inline constexpr unsigned kStudentsTDegrees = 31;

/// The 97.5 % point of Student's t with 1 … kStudentsTDegrees degrees of freedom: half of a two-sided 95 %
/// interval. A table, because the C library's exp, log and pow differ in the last bit between processors.
double students_t_975(unsigned degrees_of_freedom);

}  // namespace flitmend
