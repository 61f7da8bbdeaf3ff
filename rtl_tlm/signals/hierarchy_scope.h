// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

namespace flitmend {

/// While it exists, new SystemC objects become children of a module whose constructor has already returned.
/// Scopes nest and must end in reverse order. Only during elaboration.
class HierarchyScope {
 public:
#if SC_VERSION_MAJOR >= 3
  explicit HierarchyScope(sc_core::sc_module& parent) : scope_(Opener::open(parent)) {}
#else
  explicit HierarchyScope(sc_core::sc_module& parent) {
    parent.simcontext()->hierarchy_push(&parent);
  }
  ~HierarchyScope() {
    sc_core::sc_get_curr_simcontext()->hierarchy_pop();
  }
#endif
  HierarchyScope(const HierarchyScope&) = delete;
  HierarchyScope& operator=(const HierarchyScope&) = delete;

#if SC_VERSION_MAJOR >= 3
 private:
  /// SystemC opens a module's scope only for classes derived from sc_module.
  struct Opener : sc_core::sc_module {
    static sc_core::sc_hierarchy_scope open(sc_core::sc_module& parent) {
      return (parent.*&Opener::get_hierarchy_scope)();
    }
  };

  sc_core::sc_hierarchy_scope scope_;
#endif
};

}  // namespace flitmend
