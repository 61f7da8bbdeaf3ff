// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <string>

#include "rtl_tlm/mechanisms/vectors/vectors.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// An element of a probability vector that a router holds: a handle to it in the router's block.
class VectorElement {
 public:
  /// `vector`: 0 for the router's own, 1 + p for the one received at network port p. `number`: l, from 1.
  VectorElement(const RouterState& state, unsigned vector, unsigned number)
      : state_(&state),
        index_(vector * static_cast<unsigned>(vector_elements(state.layout())) + number - 1) {}

  const RouterLayout& layout() const { return state_->layout(); }
  double value() const { return Vectors::own(*state_)[index_]; }

 private:
  const RouterState* state_;
  unsigned index_;
};

namespace hardware {

template <class Owner>
inline constexpr Condition<Owner> with_vectors{
    .when = "`probability-vectors`", .holds = [](const Owner& o) { return vector_elements(o.layout()) > 0; }};

/// Registers of a router.
inline constexpr auto kVectorRouterRegisters = std::to_array<RegisterEntry<RouterView>>({
    {.name = "vectors.round",
     .storage = stored_in<rows::Vectors>,
     .greatest = [](const RouterView& r) -> std::uint64_t { return vector_elements(r.layout()); },
     .read = [](const RouterView& r) { return RegisterValue(Vectors::exchange(r.state()).round); },
     .purpose = "Round of the exchange: number of the element that is being sent; 0: none is.",
     .present = with_vectors<RouterView>},
    {.name = "vectors.next",
     .storage = stored_in<rows::Vectors>,
     .greatest = [](const RouterView& r) -> std::uint64_t { return vector_elements(r.layout()) + 1; },
     .read = [](const RouterView& r) { return RegisterValue(Vectors::exchange(r.state()).next); },
     .purpose = "Number of the element that the next round sends; above the last one: none.",
     .present = with_vectors<RouterView>},
    {.name = "vectors.timer",
     .storage = stored_in<rows::Vectors>,
     .greatest = [](const RouterView& r) -> std::uint64_t { return Vectors::round_cycles(r.layout()); },
     .read =
         [](const RouterView& r) {
           const Cycle next = r.layout().context.next_cycle, ends = Vectors::exchange(r.state()).ends;
           return RegisterValue(ends > next ? ends - next : 0);
         },
     .purpose = "Cycles until the round ends.",
     .present = with_vectors<RouterView>},
    {.name = "vectors.shift",
     .form = RegisterForm::word,
     .storage = stored_in<rows::Vectors>,
     .read = [](const RouterView& r) { return RegisterValue(Vectors::exchange(r.state()).bits); },
     .purpose = "Bits of the element that is being sent, those that have not left.",
     .present = with_vectors<RouterView>},
    {.name = "vectors.left",
     .storage = stored_in<rows::Vectors>,
     .greatest = [](const RouterView&) -> std::uint64_t { return kVectorElementBits; },
     .read = [](const RouterView& r) { return RegisterValue(Vectors::exchange(r.state()).left); },
     .purpose = "How many.",
     .present = with_vectors<RouterView>},
    {.name = "vectors.healthy",
     .storage = stored_in<rows::Vectors>,
     .greatest = [](const RouterView& r) -> std::uint64_t {
       return low_bits(static_cast<unsigned>(r.layout().network_ports()));
     },
     .read = [](const RouterView& r) { return RegisterValue(Vectors::exchange(r.state()).healthy); },
     .purpose = "Network ports whose neighbours are not in the faulty set, one bit each.",
     .present = with_vectors<RouterView>},
});

}  // namespace hardware

/// Further registers of a network port: the element of a probability vector that arrives there.
/// router_3_4.east.
inline constexpr RegisterEntry<PortView> kVectorPortRegisters[] = {
    {.name = "vector.element",
     .storage = stored_in<rows::VectorPorts>,
     .greatest = [](const PortView& p) -> std::uint64_t { return vector_elements(p.layout()); },
     .read = [](const PortView& p) { return RegisterValue(Vectors::port(p.state(), p.port()).element); },
     .purpose = "Number of the element of the neighbour's vector that is arriving; 0: none is.",
     .present = hardware::with_vectors<PortView>},
    {.name = "vector.shift",
     .form = RegisterForm::word,
     .storage = stored_in<rows::VectorPorts>,
     .read = [](const PortView& p) { return RegisterValue(Vectors::port(p.state(), p.port()).bits); },
     .purpose = "Its bits that have arrived.",
     .present = hardware::with_vectors<PortView>},
    {.name = "vector.received",
     .storage = stored_in<rows::VectorPorts>,
     .greatest = [](const PortView&) -> std::uint64_t { return kVectorElementBits; },
     .read = [](const PortView& p) { return RegisterValue(Vectors::port(p.state(), p.port()).received); },
     .purpose = "How many.",
     .present = hardware::with_vectors<PortView>},
};

/// An element of a vector: router_3_4.vectors.l2 of the router's own, router_3_4.east.vector.l2 of its
/// neighbour's.
inline constexpr RegisterEntry<VectorElement> kVectorElementRegisters[] = {
    {.name = "p",
     .form = RegisterForm::word,
     .storage = stored_in<rows::VectorElements>,
     .read = [](const VectorElement& e) { return RegisterValue(std::bit_cast<std::uint64_t>(e.value())); },
     .purpose = "The probability that no shortest path reaches a node at this distance: an IEEE 754 double.",
     .present = hardware::with_vectors<VectorElement>},
};

/// Calls f(element of a vector) for each element of a vector that a router holds: the router's own (0), or
/// the one received at network port p (1 + p).
template <class F>
void for_each_vector_element(const RouterState& state, unsigned vector, F&& f) {
  for (unsigned l = 1; l <= vector_elements(state.layout()); ++l) f(l, VectorElement(state, vector, l));
}

/// The vectors that a router holds, in the hierarchy of a Visitor (register_tree.h): the router's own below
/// its scope, its neighbours' below the scopes of their ports.
template <class Visitor, class Router>
void visit_vector(Visitor& visitor, typename Visitor::Scope scope, const Router& router, unsigned vector) {
  for_each_vector_element(router.state(), vector, [&](unsigned l, const VectorElement& element) {
    visitor.template add<kVectorElementRegisters>(visitor.below(scope, "l" + std::to_string(l)), router,
                                                  element);
  });
}
template <class Visitor, class Router>
void visit_router_vectors(Visitor& visitor, typename Visitor::Scope scope, const Router& router) {
  if (vector_elements(router.state().layout()) > 0)
    visit_vector(visitor, visitor.below(scope, "vectors"), router, 0);
}
template <class Visitor, class Router>
void visit_port_vectors(Visitor& visitor, typename Visitor::Scope scope, const Router& router,
                        unsigned port) {
  const RouterLayout& layout = router.state().layout();
  if (vector_elements(layout) == 0 || port >= layout.network_ports()) return;
  visitor.template add<kVectorPortRegisters>(scope, router, PortView(router.state(), port));
  visit_vector(visitor, visitor.below(scope, "vector"), router, 1 + port);
}

}  // namespace flitmend
