// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/registers/register_entry.h"

namespace flitmend {

/// A class at the arbiter of an injection channel.
class InjectorClass {
 public:
  InjectorClass(const Injector* injector, const RouterLayout& layout, unsigned message_class)
      : injector_(injector), layout_(&layout), class_(message_class) {}

  const RouterLayout& layout() const { return *layout_; }
  const ClassRules& rules() const { return layout_->context.hardware.classes; }
  const ClassArbiter& arbiter() const { return injector_->class_arbiter(); }
  unsigned number() const { return class_; }
  /// Whether the arbiter chooses by classes.
  bool chooses() const {
    return rules().ordered() && rules().arbitration != Arbitration::oldest_first && rules().count() > 1;
  }

 private:
  const Injector* injector_;
  const RouterLayout* layout_;
  unsigned class_;
};

namespace hardware {
inline constexpr Condition<InjectorClass> with_injector_classes{
    .when = "`router.arbitration: strict` and `weighted`",
    .holds = [](const InjectorClass& c) { return c.chooses(); }};
}  // namespace hardware

/// Registers of a class at the arbiter of an injection channel: router_3_4.interface.injector.class1.
inline constexpr RegisterEntry<InjectorClass> kInjectorClassRegisters[] = {
    {.name = "grants_left",
     .storage = Storage::object,
     .greatest = [](const InjectorClass& c) -> std::uint64_t { return c.rules().weight(c.number()); },
     .read = [](const InjectorClass& c) { return RegisterValue(c.arbiter()[c.number()].grants_left); },
     .purpose = "Flits that the class may still send over the injection channel in this round.",
     .present = hardware::with_injector_classes},
    {.name = "place",
     .storage = Storage::object,
     .greatest = [](const InjectorClass& c) -> std::uint64_t { return c.rules().count() - 1; },
     .read = [](const InjectorClass& c) { return RegisterValue(c.arbiter().place(c.number())); },
     .purpose = "Place of the class in the order of service; 0: it was served longest ago.",
     .present = hardware::with_injector_classes},
};

/// The classes at the arbiter of an injection channel, in the hierarchy of a Visitor (register_tree.h).
template <class Visitor, class Router>
void visit_injector_precedence(Visitor& visitor, typename Visitor::Scope scope, const Injector& injector,
                               const Router& router) {
  const RouterLayout& layout = router.state().layout();
  if (!InjectorClass(&injector, layout, 0).chooses()) return;
  for (unsigned c = 0; c < layout.context.hardware.classes.count(); ++c)
    visitor.template add<kInjectorClassRegisters>(visitor.below(scope, "class" + std::to_string(c)), router,
                                                  InjectorClass(&injector, layout, c));
}

}  // namespace flitmend
