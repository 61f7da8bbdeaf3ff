// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// Sets simulation.flit_hops, flits and the fabric's part of the contract, from the counters of its routers
/// at the end of the run.
void fill_from_fabric(const Fabric&, Results&);

}  // namespace flitmend
