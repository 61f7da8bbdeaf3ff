// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>

#include "rtl_tlm/mechanisms/precedence/precedence.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// A class at the arbiters of a port's output: a handle to their registers in the router's block.
class PrecedenceClass {
 public:
  PrecedenceClass(const RouterState& state, unsigned port, unsigned message_class)
      : state_(&state), port_(port), class_(message_class) {}

  const RouterLayout& layout() const { return state_->layout(); }
  const ClassRules& rules() const { return layout().context.hardware.classes; }
  std::uint64_t weight() const { return rules().weight(class_); }
  const ClassArbiter& of_switch() const { return Precedence::switch_arbiter(*state_, port_); }
  const ClassArbiter& of_vcs() const { return Precedence::vc_arbiter(*state_, port_); }
  const ClassArbiter& of_link() const { return Precedence::link_arbiter(*state_, port_); }
  unsigned number() const { return class_; }

 private:
  const RouterState* state_;
  unsigned port_;
  unsigned class_;
};

namespace hardware {

template <class Owner>
inline constexpr Condition<Owner> with_precedence{
    .when = "`router.arbitration` other than `round-robin`",
    .holds = [](const Owner& o) { return Precedence::built(o.layout()); }};
inline constexpr Condition<VirtualChannel> with_ages{
    .when = "`router.arbitration: oldest-first`", .holds = [](const VirtualChannel& v) {
      return v.layout().context.hardware.classes.arbitration == Arbitration::oldest_first;
    }};
/// The arbiters of strict and weighted choose classes.
inline constexpr Condition<PrecedenceClass> with_class_arbiters{
    .when = "`router.arbitration: strict` and `weighted`", .holds = [](const PrecedenceClass& c) {
      return Precedence::built(c.layout()) && c.rules().arbitration != Arbitration::oldest_first;
    }};

inline constexpr Condition<PrecedenceClass> with_link_arbiters{
    .when = "`router.arbitration: strict` and `weighted`, with output buffers",
    .holds = [](const PrecedenceClass& c) {
      return with_class_arbiters.holds(c) && c.layout().output_buffer > 0;
    }};

constexpr std::uint64_t kMostAge = 0xffff;

/// Registers of an input virtual channel.
inline constexpr auto kPrecedenceInputRegisters = std::to_array<RegisterEntry<VirtualChannel>>({
    {.name = "message_class",
     .storage = stored_in<rows::PrecedenceVcs>,
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return kControlClass; },
     .read =
         [](const VirtualChannel& v) {
           return v.message() == kNoMessage ? RegisterValue()
                                            : RegisterValue(Precedence::vc(v.state(), v.id()).message_class);
         },
     .purpose = "Class of the message, from 0 on; 8: a control message of a recovery protocol.",
     .present = with_precedence<VirtualChannel>},
    {.name = "message_age",
     .storage = stored_in<rows::PrecedenceVcs>,
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return kMostAge; },
     .read =
         [](const VirtualChannel& v) {
           const Cycle created = Precedence::vc(v.state(), v.id()).created;
           const Cycle next = v.layout().context.next_cycle;
           return v.message() == kNoMessage || next <= created
                      ? RegisterValue()
                      : RegisterValue(std::min<std::uint64_t>(next - 1 - created, kMostAge));
         },
     .purpose = "Cycles since the message was created; saturates.",
     .present = with_ages},
});

/// What an arbiter, kept in Row, has for a class.
template <const ClassArbiter& (PrecedenceClass::*kArbiter)() const, auto kField>
constexpr RegisterValue class_field(const PrecedenceClass& c) {
  return (c.*kArbiter)()[c.number()].*kField;
}
template <const ClassArbiter& (PrecedenceClass::*kArbiter)() const, class Row = rows::PrecedenceArbiters>
constexpr RegisterEntry<PrecedenceClass> grants_left(
    std::string_view name, std::string_view purpose,
    const Condition<PrecedenceClass>& present = with_class_arbiters) {
  return {.name = name,
          .storage = stored_in<Row>,
          .greatest = [](const PrecedenceClass& c) { return c.weight(); },
          .read = class_field<kArbiter, &ClassArbiter::Class::grants_left>,
          .purpose = purpose,
          .present = present};
}
template <const ClassArbiter& (PrecedenceClass::*kArbiter)() const, class Row = rows::PrecedenceArbiters>
constexpr RegisterEntry<PrecedenceClass> service_place(
    std::string_view name, std::string_view purpose,
    const Condition<PrecedenceClass>& present = with_class_arbiters) {
  return {.name = name,
          .storage = stored_in<Row>,
          .greatest = [](const PrecedenceClass& c) -> std::uint64_t { return c.rules().count() - 1; },
          .read = [](const PrecedenceClass& c) { return RegisterValue((c.*kArbiter)().place(c.number())); },
          .purpose = purpose,
          .present = present};
}

}  // namespace hardware

/// Registers of a class at the arbiters of a port: router_3_4.east.class1.
inline constexpr RegisterEntry<PrecedenceClass> kPrecedenceClassRegisters[] = {
    hardware::grants_left<&PrecedenceClass::of_switch>(
        "switch.grants_left", "Flits that the class may still send over the output in this round."),
    hardware::service_place<&PrecedenceClass::of_switch>(
        "switch.place", "Place of the class in the order of service; 0: it was served longest ago."),
    {.name = "switch.grant_pointer",
     .form = RegisterForm::port,
     .storage = stored_in<rows::PrecedenceArbiters>,
     .read = hardware::class_field<&PrecedenceClass::of_switch, &ClassArbiter::Class::last_input>,
     .purpose = "Round robin within the class: the input that the output granted last.",
     .present = hardware::with_class_arbiters},
    {.name = "switch.vc_pointer",
     .form = RegisterForm::vc,
     .storage = stored_in<rows::PrecedenceArbiters>,
     .read = hardware::class_field<&PrecedenceClass::of_switch, &ClassArbiter::Class::last_vc>,
     .purpose = "Round robin within the class: the virtual channel of this input that sent last.",
     .present = hardware::with_class_arbiters},
    hardware::grants_left<&PrecedenceClass::of_vcs>(
        "vcs.grants_left", "Virtual channels of the output that the class may still be given in this round."),
    hardware::service_place<&PrecedenceClass::of_vcs>(
        "vcs.place", "Place of the class in the order of service of the VC allocator."),
    {.name = "vcs.grant_pointer",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::PrecedenceArbiters>,
     .read = hardware::class_field<&PrecedenceClass::of_vcs, &ClassArbiter::Class::last_input>,
     .purpose = "Round robin within the class: the input virtual channel that was granted one last.",
     .present = hardware::with_class_arbiters},
    hardware::grants_left<&PrecedenceClass::of_link, rows::PrecedenceLinks>(
        "link.grants_left", "Flits that the class may still send over the link in this round.",
        hardware::with_link_arbiters),
    hardware::service_place<&PrecedenceClass::of_link, rows::PrecedenceLinks>(
        "link.place", "Place of the class in the order of service of the link.",
        hardware::with_link_arbiters),
    {.name = "link.vc_pointer",
     .form = RegisterForm::vc,
     .storage = stored_in<rows::PrecedenceLinks>,
     .read = hardware::class_field<&PrecedenceClass::of_link, &ClassArbiter::Class::last_vc>,
     .purpose = "Round robin within the class: the virtual channel that sent over the link last.",
     .present = hardware::with_link_arbiters},
};

/// The classes at the arbiters of a port, in the hierarchy of a Visitor (register_tree.h).
template <class Visitor, class Router>
void visit_port_precedence(Visitor& visitor, typename Visitor::Scope scope, const Router& router,
                           unsigned port) {
  const RouterState& state = router.state();
  const ClassRules& rules = state.layout().context.hardware.classes;
  if (!rules.ordered() || rules.arbitration == Arbitration::oldest_first) return;
  for (unsigned c = 0; c < rules.count(); ++c)
    visitor.template add<kPrecedenceClassRegisters>(visitor.below(scope, "class" + std::to_string(c)), router,
                                                    PrecedenceClass(state, port, c));
}

}  // namespace flitmend
