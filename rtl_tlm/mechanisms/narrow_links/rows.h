// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

/// Registers of a port whose link may be narrower than a flit (NarrowLinks).
struct NarrowPort {
  Cycle free_from = 0;       ///< the link is busy before this cycle
  unsigned flit_cycles = 1;  ///< for which a flit occupies it
};

namespace rows {

/// By port; only if a link of the network is narrower than a flit.
struct NarrowPorts : Row<NarrowPort, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.context.hardware.flit_cycles > 1 ? s.ports : 0; }
  static void reset(NarrowPort& port, std::size_t, const RouterShape&) { port.free_from = 0; }
};

}  // namespace rows
}  // namespace flitmend
