// SPDX-License-Identifier: Apache-2.0
// The rows of a router's memory block. To add a kind of register, add a field to an element below, or a new
// row: a struct here (of a mechanism: in the mechanism's rows.h), and its name in RouterRows. Offsets,
// construction and reset follow from this list. Names and purposes of registers are in register_map.h.
#pragma once
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>

#include "rtl_tlm/mechanisms/circuits/rows.h"
#include "rtl_tlm/mechanisms/copies/rows.h"
#include "rtl_tlm/mechanisms/deadlock_lane/rows.h"
#include "rtl_tlm/mechanisms/kills/rows.h"
#include "rtl_tlm/mechanisms/narrow_links/rows.h"
#include "rtl_tlm/mechanisms/precedence/rows.h"
#include "rtl_tlm/mechanisms/tail_signals/rows.h"
#include "rtl_tlm/mechanisms/vectors/rows.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

namespace rows {

/// Masks of the first 64 input virtual channels, and pointers to the router's objects.
struct Header : Row<RouterHeader, Heat::hot> {
  static std::size_t count(const RouterShape&) { return 1; }
  static void reset(RouterHeader& header, std::size_t, const RouterShape&) {
    header.masks = VcMasks{};
    header.any_absorbing = false;
    header.control_waits = false;
    header.alters_arrivals = false;
  }
};

/// By Arrival (flits and credits): masks of the virtual channels at which it arrives, rings by cycle; all
/// virtual channels of a port are in one word.
struct Arrivals : Row<Word, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return 2 * s.arrival_words * s.ring; }
};

/// By port and slot: the flit that arrives.
struct ArrivedFlits : Row<Flit, Heat::hot, OnReset::keep> {
  static std::size_t count(const RouterShape& s) { return s.ring * s.ports; }
};

/// By output id, and a dummy element that belongs to no output, so that credits can be counted without a
/// branch.
struct OutputVcs : Row<OutputVcState, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.ids + 1; }
  static void reset(OutputVcState& output, std::size_t, const RouterShape& s) {
    output = {static_cast<std::uint16_t>(s.input_buffer), kNoVc};
  }
};

/// By port.
struct Arbiters : Row<PortArbiter, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.ports; }
  static void reset(PortArbiter& arbiter, std::size_t port, const RouterShape& s) {
    arbiter.switch_pointers = SwitchPointers::power_up(port, s.ports, s.vcs);
  }
};

/// By output port: ids of the input virtual channels routed to it. Only if all ids fit in one word.
struct Wanted : Row<Word, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.vc_words == 1 ? s.ports : 0; }
};

/// By input id.
struct InputVcs : Row<InputVcState, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.ids; }
};

/// By port: one cache line each.
struct Ports : Row<PortState, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.ports; }
  static void reset(PortState& port, std::size_t, const RouterShape&) { port.granted = PortState{}.granted; }
};

/// By port; only if a mechanism has control lines that arrive in masks.
struct MaskWiring : Row<MaskWires, Heat::hot, OnReset::keep> {
  static std::size_t count(const RouterShape&);
};

/// By port. This row and the next two are empty without output buffers.
struct LinkArbiters : Row<LinkArbiter, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.output_buffer > 0 ? s.ports : 0; }
};
/// By word of ports: ports with flits in their output buffers.
struct BufferedPorts : Row<Word, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.output_buffer > 0 ? s.port_words : 0; }
};
/// By output id.
struct OutputBuffers : Row<OutputBufferState, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.output_buffer > 0 ? s.ids : 0; }
};

/// Masks of the input virtual channels after the first 64.
struct MoreMasks : Row<VcMasks, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.vc_words - 1; }
};

/// By slot and input id: the first slots of all input buffers, which are hot, then the second ones, …
struct InputFlits : Row<Flit, Heat::hot, OnReset::power_up, 64> {
  static std::size_t count(const RouterShape& s) { return s.ids * s.input_slots; }
  static std::size_t hot_count(const RouterShape& s, std::size_t) { return s.ids; }
};

/// By input id: the route FSM's HeadRoute, then max_candidates RouteCandidates. With one candidate, two
/// elements fit in a cache line.
struct Routes : Row<HeadRoute, Heat::cold, OnReset::power_up, 32> {
  static std::size_t count(const RouterShape& s) { return s.ids; }
  static std::size_t stride(const RouterShape& s) {
    return sizeof(HeadRoute) + s.max_candidates * sizeof(RouteCandidate);
  }
  static void construct(std::byte* element, const RouterShape& s) {
    Row::construct(element, s);
    std::uninitialized_value_construct_n(reinterpret_cast<RouteCandidate*>(element + sizeof(HeadRoute)),
                                         s.max_candidates);
  }
};

/// By id.
struct VcAllocatorPointers : Row<VcPointers, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return s.ids; }
  static void reset(VcPointers& pointers, std::size_t, const RouterShape& s) {
    pointers = VcPointers::power_up(s.ids);
  }
};

/// By port: mask of the free output virtual channels, then the mask of each class.
struct PortVcs : Row<VcMask, Heat::cold, OnReset::keep> {
  static std::size_t count(const RouterShape& s) { return s.ports * (1 + s.classes); }
  static void reset(VcMask& mask, std::size_t index, const RouterShape& s) {
    if (index % (1 + s.classes) == 0) mask = low_bits(static_cast<unsigned>(s.vcs));
  }
};

/// Mask of the input virtual channels in ABSORB.
struct Absorbing : Row<Word, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return s.vc_words; }
};

/// By Arrival (from control_in on), word of ports and slot: ports at which control signals arrive.
struct Control : Row<Word, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return 2 * s.port_words * s.ring; }
};

/// By port.
struct Extras : Row<PortExtras, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return s.ports; }
};

/// output_buffer slots per output id.
struct OutputSlots : Row<OutputSlot, Heat::cold, OnReset::keep, 64> {
  static std::size_t count(const RouterShape& s) { return s.ids * s.output_buffer; }
};

/// By input id; empty if the hardware has no head-copy registers.
struct HeadCopies : Row<HeadCopy, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return s.has_head_copies ? s.ids : 0; }
};

/// By output id: h′ of the holder; only if the routing function looks at outputs.
struct HolderStates : Row<std::uint64_t, Heat::cold, OnReset::keep> {
  static std::size_t count(const RouterShape& s) { return s.looks_at_outputs ? s.ids : 0; }
};

/// By port: the channels bound to it.
struct Channels : Row<PortChannels, Heat::cold, OnReset::keep> {
  static std::size_t count(const RouterShape& s) { return s.ports; }
};

}  // namespace rows

/// All rows in the order of the block.
using RouterRows =
    std::tuple<rows::Header, rows::Arrivals, rows::TailArrivals, rows::CopyArrivals, rows::CircuitArrivals,
               rows::ArrivedFlits, rows::OutputVcs, rows::Arbiters, rows::Wanted, rows::InputVcs, rows::Ports,
               rows::Copies, rows::CopyWords, rows::TailPorts, rows::MaskWiring, rows::TailWords,
               rows::CircuitWords, rows::CircuitPorts, rows::NarrowPorts, rows::PrecedenceVcs,
               rows::LinkArbiters, rows::BufferedPorts, rows::OutputBuffers, rows::MoreMasks,
               rows::InputFlits, rows::Routes, rows::VcAllocatorPointers, rows::PortVcs, rows::Absorbing,
               rows::Control, rows::Extras, rows::OutputSlots, rows::HeadCopies, rows::Renames,
               rows::Circuits, rows::TailShadows, rows::KillTimers, rows::PadsArrived, rows::HolderStates,
               rows::Lane, rows::Vectors, rows::VectorPorts, rows::VectorElements, rows::PrecedenceArbiters,
               rows::PrecedenceLinks, rows::Channels>;

inline constexpr std::size_t kRouterRows = std::tuple_size_v<RouterRows>;

/// Index of a row in RouterRows.
template <class R>
inline constexpr std::size_t kRowIndex = []<class... Rows>(std::tuple<Rows...>*) {
  std::size_t index = 0;
  static_cast<void>(((std::is_same_v<R, Rows> ? false : (++index, true)) && ...));
  static_assert((std::is_same_v<R, Rows> || ...), "the row is not in RouterRows");
  return index;
}(static_cast<RouterRows*>(nullptr));

/// Calls f.template operator()<R>() for every row, in the order of the block.
template <class F>
void for_each_row(F&& f) {
  [&]<class... Rows>(std::tuple<Rows...>*) {
    (f.template operator()<Rows>(), ...);
  }(static_cast<RouterRows*>(nullptr));
}

inline std::size_t rows::MaskWiring::count(const RouterShape& s) {
  bool any = false;
  for_each_row([&]<class R>() {
    if constexpr (requires { R::kLines; }) any |= R::count(s) > 0;
  });
  return any ? s.ports : 0;
}

}  // namespace flitmend
