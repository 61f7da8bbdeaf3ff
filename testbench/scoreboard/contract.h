// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/statistics/results.h"

namespace flitmend {

/// The last word on a run, after the scoreboard and the fabric have filled in messages, flits, missing
/// credits and busy virtual channels: adds a violation for every sum that does not come out, and sets
/// contract.holds. No credit may be missing at any time; after a drain nothing may be left in the network and
/// every virtual channel is idle. The exit status is 3 where it does not hold.
void judge_contract(Results&, bool drained);

}  // namespace flitmend
