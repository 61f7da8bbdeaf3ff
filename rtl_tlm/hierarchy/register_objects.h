// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "rtl_tlm/hierarchy/register.h"
#include "rtl_tlm/hierarchy/register_owners.h"
#include "rtl_tlm/hierarchy/register_tree.h"
#include "rtl_tlm/registers/unit_registers.h"
#include "rtl_tlm/signals/hierarchy_part.h"
#include "rtl_tlm/signals/hierarchy_scope.h"

namespace flitmend {

/// A scope in the hierarchy that contains registers but is not a module of the hardware: a virtual channel, a
/// flit register, a head-copy register.
class RegisterScope : public HierarchyPart {
 public:
  using HierarchyPart::HierarchyPart;

  /// The registers below it, each with its value: "route_fsm ROUTED, stage …".
  void print(std::ostream& = std::cout) const override;
  /// The same in full, one block per register.
  void dump(std::ostream& = std::cout) const override;
};

/// Creates and owns the register objects: one per register of the register maps, at the same place in the
/// hierarchy as in waves (register_tree.h). The hardware must outlive it.
class RegisterObjects {
 public:
  using Scope = sc_core::sc_module*;

  RegisterObjects() = default;
  RegisterObjects(const RegisterObjects&) = delete;
  RegisterObjects& operator=(const RegisterObjects&) = delete;
  ~RegisterObjects();

  /// The module of that name below another: a hardware module or, if there is none, a RegisterScope.
  Scope below(Scope, const std::string& name, const char* kind = "flitmend_registers");
  Scope below_vc(Scope scope, unsigned vc) { return below(scope, vc_name(vc), "flitmend_virtual_channel"); }
  static Scope below(Scope, sc_core::sc_module& module) { return &module; }
  static void begin(const Router&) {}
  /// Adds the registers of an owner; returns how many.
  template <const auto& kEntries, class Owner>
  std::size_t add(Scope, const Router&, const Owner&);
  void add_unit(Scope, const Router&, const UnitRegisterRecord&);
  template <const auto& kEntries, class Owner>
  std::size_t add_again(Scope scope, std::size_t /*first*/, const Router& router, const Owner& owner) {
    return add<kEntries>(scope, router, owner);
  }

 private:
  template <class Owner>
  std::size_t add_entries(Scope, const auto& entries, const Owner&);
  template <class Owner>
  static std::unique_ptr<RegisterObject> make(const char* name, const RegisterEntry<Owner>&, const Owner&);
  template <class Owner>
  void add_entry(Scope, const RegisterEntry<Owner>&, const Owner&);

  RegisterOwners owners_;
  std::vector<std::unique_ptr<RegisterScope>> scopes_;  ///< each after its parent
  std::vector<std::unique_ptr<RegisterObject>> registers_;
};

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

template <class Owner>
std::size_t RegisterObjects::add_entries(Scope scope, const auto& entries, const Owner& owner) {
  const Owner* kept = nullptr;
  std::size_t made = 0;
  for (const RegisterEntry<Owner>& entry : entries) {
    if (!entry.readable(owner)) continue;
    if (!kept) kept = &owners_.keep(owner);
    add_entry(scope, entry, *kept);
    ++made;
  }
  return made;
}

template <const auto& kEntries, class Owner>
std::size_t RegisterObjects::add(Scope scope, const Router&, const Owner& owner) {
  return add_entries(scope, kEntries, owner);
}

inline void RegisterObjects::add_unit(Scope scope, const Router&, const UnitRegisterRecord& record) {
  add_entries(scope, record.entries, record.unit);
}

}  // namespace flitmend
