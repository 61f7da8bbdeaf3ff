// SPDX-License-Identifier: Apache-2.0
// The registers that a recovery protocol adds in its recovery units, below router_3_4.recovery. Registers in
// the router's block are in the register maps instead.
#pragma once
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/registers/register_entry.h"

namespace flitmend {

/// The recovery unit of a router, for reading its registers.
class UnitView {
 public:
  /// `unit`: null if only widths and conditions are asked for, which need the layout alone.
  UnitView(const RouterRecovery* unit, const RouterLayout& layout) : unit_(unit), layout_(&layout) {}

  /// The unit, as its protocol made it.
  template <class Unit>
  const Unit& unit() const {
    return static_cast<const Unit&>(*unit_);
  }
  const RouterLayout& layout() const { return *layout_; }

 private:
  const RouterRecovery* unit_;
  const RouterLayout* layout_;
};

/// The registers of one unit.
struct UnitRegisterRecord {
  UnitRegisters entries;
  UnitView unit;
};

/// Like read_registers of register_entry.h.
inline Word read_unit_registers(const UnitRegisterRecord& record, Word* values) {
  Word there = 0;
  for (std::size_t i = 0; i < record.entries.size(); ++i) {
    const RegisterEntry<UnitView>& entry = record.entries[i];
    const RegisterValue value = entry.readable(record.unit) ? entry.read(record.unit) : RegisterValue();
    values[i] = value.value_or(0);
    there |= Word{value.has_value()} << i;
  }
  return there;
}

}  // namespace flitmend
