// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

/// What the arbiters know about a message in a virtual channel.
struct PrecedenceVc {
  Cycle created = 0;
  NodeId source = 0;
  std::uint32_t id = 0;
  std::uint8_t message_class = 0;  ///< or kControlClass

  /// Whether its message goes before another one: by age; then by source and id.
  bool older_than(const PrecedenceVc& other) const {
    const bool control = message_class == kControlClass, other_control = other.message_class == kControlClass;
    if (control != other_control) return control;
    if (created != other.created) return created < other.created;
    return source != other.source ? source < other.source : id < other.id;
  }
};

namespace rows {

/// By input id; this row and the next two only if router.arbitration is not round-robin.
struct PrecedenceVcs : Row<PrecedenceVc, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.context.hardware.classes.ordered() ? s.ids : 0; }
};

/// By port: the arbiter of the switch, then that of the VC allocator.
struct PrecedenceArbiters : Row<ClassArbiter, Heat::cold> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.classes.ordered() ? 2 * s.ports : 0;
  }
  static void reset(ClassArbiter& arbiter, std::size_t index, const RouterShape& s) {
    arbiter.reset(s.context.hardware.classes);
    // Turns begin at the first port and the first virtual channel, as those of SwitchPointers.
    const bool of_switch = index % 2 == 0;
    for (unsigned c = 0; c <= kMessageClasses; ++c) {
      arbiter[c].last_input = static_cast<std::uint16_t>(of_switch ? s.ports - 1 : s.ids - 1);
      arbiter[c].last_vc = static_cast<std::uint16_t>(s.vcs - 1);
    }
  }
};

/// By port: the arbiter of the link behind output buffers.
struct PrecedenceLinks : Row<ClassArbiter, Heat::cold> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.classes.ordered() && s.output_buffer > 0 ? s.ports : 0;
  }
  static void reset(ClassArbiter& arbiter, std::size_t, const RouterShape& s) {
    arbiter.reset(s.context.hardware.classes);
    // Turns begin at the first virtual channel, as that of LinkArbiter.
    for (unsigned c = 0; c <= kMessageClasses; ++c)
      arbiter[c].last_vc = static_cast<std::uint16_t>(s.vcs - 1);
  }
};

}  // namespace rows
}  // namespace flitmend
