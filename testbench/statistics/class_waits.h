// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/flow_results.h"
#include "testbench/traffic/classes.h"

namespace flitmend {

/// Adds how long classes have waited at arbiters to their results, in the whole run; with
/// router.arbitration round-robin nothing, as no arbiter knows classes.
void fill_class_waits(const Fabric&, const MessageClasses&, FlowSection&);

}  // namespace flitmend
