// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// Splits virtual channels 0 … vcs − 1 evenly among the classes, in order; the first classes get the
/// remainder. 1 ≤ classes ≤ vcs ≤ 64.
std::vector<VcMask> spread_evenly(unsigned vcs, unsigned classes);

/// The first `singles` classes get one virtual channel each, the class after them all others. singles < vcs ≤
/// 64.
std::vector<VcMask> singles_then_rest(unsigned vcs, unsigned singles);

}  // namespace flitmend
