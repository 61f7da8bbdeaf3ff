#pragma once
#include "testbench/statistics/results.h"

namespace flitmend {

/// The last word on a run, after the scoreboard and the fabric have filled in messages, flits, missing
/// credits and busy virtual channels: adds a violation for every sum that does not come out, and sets
/// contract.holds. After a drain nothing may be left in the network, every credit is home and every virtual
/// channel idle. The exit status is 3 where it does not hold.
void judge_contract(Results&, bool drained);

}  // namespace flitmend
