// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/hierarchy/register_objects.h"

#include <cstring>
#include <string_view>

#include "rtl_tlm/signals/hierarchy_scope.h"

namespace flitmend {

void RegisterScope::print(std::ostream& out) const {
  const char* separator = "";
  for (const sc_core::sc_object* child : get_child_objects()) {
    out << separator << child->basename() << ' ';
    child->print(out);
    separator = ", ";
  }
}

void RegisterScope::dump(std::ostream& out) const {
  for (const sc_core::sc_object* child : get_child_objects()) child->dump(out);
}

RegisterObjects::~RegisterObjects() {
  registers_.clear();
  while (!scopes_.empty()) scopes_.pop_back();  // children before their parents
}

RegisterObjects::Scope RegisterObjects::below(Scope parent, const std::string& name, const char* kind) {
  for (sc_core::sc_object* child : parent->get_child_objects())
    if (name == child->basename()) return dynamic_cast<Scope>(child);
  const HierarchyScope inside(*parent);
  return scopes_.emplace_back(std::make_unique<RegisterScope>(name.c_str(), kind)).get();
}

}  // namespace flitmend
