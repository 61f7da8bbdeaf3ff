// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/statistics/results.h"

namespace flitmend {

/// The final check of a run, after the scoreboard and the fabric have filled in messages, flits, missing
/// credits and busy virtual channels. Adds a violation for every sum that does not match, and sets
/// contract.holds. A credit may never be missing. After a drain nothing may be left in the network, and every
/// virtual channel must be idle. If the contract does not hold, the exit status is 3.
void judge_contract(Results&, bool drained);

}  // namespace flitmend
