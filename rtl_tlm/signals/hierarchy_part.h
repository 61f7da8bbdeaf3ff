// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

namespace flitmend {

/// A part of the hardware in SystemC's hierarchy: a module of its own name and kind, which does nothing. The
/// part itself works on the registers of its router, and exists in a compact hierarchy, too.
class HierarchyPart : public sc_core::sc_module {
 public:
  HierarchyPart(sc_core::sc_module_name name, const char* kind) : sc_module(name), kind_(kind) {}
  const char* kind() const override { return kind_; }

 private:
  const char* kind_;
};

}  // namespace flitmend
