// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/parameters.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// The faults as the routing function sees them. Where paths are held, acknowledgements and kills return over
/// them: a link with one faulty channel then counts as faulty in both directions.
inline FaultSet routed_faults(const FaultSet& faults, const HardwareParameters& hardware) {
  return hardware.holds_paths() ? faults.with_whole_links() : faults;
}

}  // namespace flitmend
