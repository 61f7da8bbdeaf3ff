// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/row.h"

namespace flitmend::rows {

/// By output id: the cycle from which BKILL counts again after FKILL. This row and the next exist only with
/// padded packets.
struct KillTimers : Row<Cycle, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return s.padding ? s.ids : 0; }
};

/// Pads that have arrived on the links: for statistics, no hardware.
struct PadsArrived : Row<std::uint64_t, Heat::cold, OnReset::keep> {
  static const MechanismHooks kHooks;
  static std::size_t count(const RouterShape& s) { return s.padding ? 1 : 0; }
};

}  // namespace flitmend::rows
