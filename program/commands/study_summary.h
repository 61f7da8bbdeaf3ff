// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <vector>

#include "exploration/studies/judgement.h"

namespace flitmend {

/// Prints each statement with its verdict, what was judged and the figures; if it does not hold, the parts
/// that do not. Then the number of statements that hold.
void print_statements(const std::vector<JudgedStatement>&, std::ostream&);

/// The statements with that verdict.
std::size_t count(const std::vector<JudgedStatement>&, Verdict);

}  // namespace flitmend
