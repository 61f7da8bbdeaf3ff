// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// Sets simulation.flit_hops, flits and the fabric's part of the contract, from the counters of its routers
/// at the end of the run.
void fill_from_fabric(const Fabric&, Results&);

/// Sets management, if the routing algorithm needs it.
void fill_from_management(const Fabric&, Results&);

/// Sets vectors, if the routers exchange probability vectors.
void fill_from_vectors(const Fabric&, Results&);

/// Sets recovery. After fill_from_fabric. `delivered_flits`: of the messages delivered.
void fill_from_recovery(const Fabric&, std::uint64_t delivered_flits, Results&);

}  // namespace flitmend
