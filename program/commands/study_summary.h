// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <vector>

#include "exploration/studies/judgement.h"

namespace flitmend {

/// Each statement with its verdict, what was judged and the figures; of those that do not hold the parts that
/// do not. Then how many hold.
void print_statements(const std::vector<JudgedStatement>&, std::ostream&);

/// Those with that verdict.
std::size_t count(const std::vector<JudgedStatement>&, Verdict);

}  // namespace flitmend
