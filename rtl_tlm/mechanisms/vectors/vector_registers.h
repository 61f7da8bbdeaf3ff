// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>

#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// Further registers of a network port: the element of a probability vector that arrives there.
/// router_3_4.east.
inline constexpr RegisterEntry<PortView> kVectorPortRegisters[] = {
    {.name = "vector.element",
     .storage = stored_in<rows::VectorPorts>,
     .greatest = [](const PortView& p) -> std::uint64_t { return p.layout().vector_elements; },
     .read = [](const PortView& p) { return RegisterValue(p.state().vector_port(p.port()).element); },
     .purpose = "Number of the element of the neighbour's vector that is arriving; 0: none is.",
     .present = hardware::with_vectors<PortView>},
    {.name = "vector.shift",
     .form = RegisterForm::word,
     .storage = stored_in<rows::VectorPorts>,
     .read = [](const PortView& p) { return RegisterValue(p.state().vector_port(p.port()).bits); },
     .purpose = "Its bits that have arrived.",
     .present = hardware::with_vectors<PortView>},
    {.name = "vector.received",
     .storage = stored_in<rows::VectorPorts>,
     .greatest = [](const PortView&) -> std::uint64_t { return kVectorElementBits; },
     .read = [](const PortView& p) { return RegisterValue(p.state().vector_port(p.port()).received); },
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

}  // namespace flitmend
