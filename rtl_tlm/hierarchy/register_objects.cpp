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

RegisterObjects::Scope RegisterObjects::below(Scope parent, const std::string& name) {
  for (sc_core::sc_object* child : parent->get_child_objects())
    if (name == child->basename()) return dynamic_cast<Scope>(child);
  const HierarchyScope inside(*parent);
  return scopes_.emplace_back(std::make_unique<RegisterScope>(name.c_str())).get();
}

template <class Owner>
std::unique_ptr<RegisterObject> RegisterObjects::make(const char* name, const RegisterEntry<Owner>& entry,
                                                      const Owner& owner) {
  switch (entry.form) {
    case RegisterForm::route_fsm:
      return std::make_unique<RegisterOf<RouteFsm, Owner>>(name, entry, owner);
    case RegisterForm::stage:
      return std::make_unique<RegisterOf<PipelineStage, Owner>>(name, entry, owner);
    case RegisterForm::flit_kind:
      return std::make_unique<RegisterOf<FlitKind, Owner>>(name, entry, owner);
    case RegisterForm::bit:
    case RegisterForm::fault:
      return std::make_unique<RegisterOf<bool, Owner>>(name, entry, owner);
    default:
      return std::make_unique<RegisterOf<std::uint64_t, Owner>>(name, entry, owner);
  }
}

template <class Owner>
void RegisterObjects::add_entry(Scope scope, const RegisterEntry<Owner>& entry, const Owner& owner) {
  std::string_view name = entry.name;
  for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
    scope = below(scope, std::string(name.substr(0, dot)));
    name.remove_prefix(dot + 1);
  }
  const HierarchyScope inside(*scope);
  registers_.push_back(make(std::string(name).c_str(), entry, owner));
}

template <const auto& kEntries, class Owner>
std::size_t RegisterObjects::add(Scope scope, const Router&, const Owner& owner) {
  const Owner* kept = nullptr;
  std::size_t made = 0;
  for (const RegisterEntry<Owner>& entry : kEntries) {
    if (!entry.readable(owner)) continue;
    if (!kept) kept = &owners_.keep(owner);
    add_entry(scope, entry, *kept);
    ++made;
  }
  return made;
}

// All register maps.
template std::size_t RegisterObjects::add<kRouterRegisters>(Scope, const Router&, const RouterView&);
template std::size_t RegisterObjects::add<kInputVcRegisters>(Scope, const Router&, const VirtualChannel&);
template std::size_t RegisterObjects::add<kCircuitRegisters>(Scope, const Router&, const VirtualChannel&);
template std::size_t RegisterObjects::add<kOutputVcRegisters>(Scope, const Router&,
                                                              const OutputVirtualChannel&);
template std::size_t RegisterObjects::add<kPortRegisters>(Scope, const Router&, const PortView&);
template std::size_t RegisterObjects::add<kOutputRegisters>(Scope, const Router&, const PortView&);
template std::size_t RegisterObjects::add<kVectorPortRegisters>(Scope, const Router&, const PortView&);
template std::size_t RegisterObjects::add<kVectorElementRegisters>(Scope, const Router&,
                                                                   const VectorElement&);
template std::size_t RegisterObjects::add<kFlitRegisters>(Scope, const Router&, const ChannelEnd&);
template std::size_t RegisterObjects::add<kForwardLines>(Scope, const Router&, const ChannelEnd&);
template std::size_t RegisterObjects::add<kBackwardLines>(Scope, const Router&, const ChannelEnd&);
template std::size_t RegisterObjects::add<kInjectorRegisters>(Scope, const Router&, const InterfacePart&);
template std::size_t RegisterObjects::add<kInjectorVcRegisters>(Scope, const Router&, const InterfacePart&);
template std::size_t RegisterObjects::add<kReceiverRegisters>(Scope, const Router&, const InterfacePart&);

}  // namespace flitmend
