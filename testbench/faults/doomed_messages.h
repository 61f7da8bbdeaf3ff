// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/faults/fault_plan.h"
#include "testbench/faults/hit_phase.h"

namespace flitmend {

/// The descriptors of all packets that a fault of that part would cut or cut again. Reads the registers and
/// changes nothing; call it before the part fails.
std::map<MessageIndex, Doom> doomed_messages(Fabric&, const FaultyPart&);

}  // namespace flitmend
