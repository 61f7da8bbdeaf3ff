// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// The topology as a Structure (Grid, SwitchedGrid, one of your own), null where it has another. What is
/// written for a structure applies to every topology that has it, whatever its name.
template <class Structure>
const Structure* structure_of(const Topology& topology) {
  return dynamic_cast<const Structure*>(&topology);
}

}  // namespace flitmend
