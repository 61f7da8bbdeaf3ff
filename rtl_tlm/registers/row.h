// SPDX-License-Identifier: Apache-2.0
// What a row of a router's memory block is.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "rtl_tlm/registers/router_shape.h"

namespace flitmend {

/// Hot rows are those that any cycle may need. They come first, and are prefetched in large networks.
enum class Heat : std::uint8_t { hot, cold };

/// What a reset of the router does to an element, unless its row defines another reset().
enum class OnReset : std::uint8_t {
  power_up,  ///< back to its initial value
  keep       ///< bound before the simulation starts, or valid only if a mask says so
};

struct MechanismHooks;

/// A row of `count(shape)` contiguous elements. The row of a mechanism may also have
///   kHooks           its part in the steps of the router (MechanismHooks)
///   kLines           the control lines that arrive in it (LineArrivals)
///   kWithdrawn       the RouteFsm of a head that the mechanism has taken out of route computation
///   kWithdrawnCycles for how long
///   room(state, id)  by how much it changes the room of an input buffer (RouterState::room)
///   sent_slots(state, id)    slots of an input buffer that flits take after they have left
///   held_message(state, id)  the message that holds a virtual channel without flits; kNoMessage: none
///   flits(element)   how many flits an element holds; they are in no input or output buffer
template <class T, Heat kHeatOfRow, OnReset kOnReset = OnReset::power_up,
          std::size_t kAlignmentOfRow = alignof(T)>
struct Row {
  static_assert(std::is_trivially_destructible_v<T>);
  using Element = T;
  static constexpr Heat kHeat = kHeatOfRow;
  static constexpr std::size_t kAlignment = kAlignmentOfRow;

  /// Bytes from one element to the next.
  static std::size_t stride(const RouterShape&) { return sizeof(T); }
  /// Number of elements of a hot row, of `count`, that a cycle usually needs.
  static std::size_t hot_count(const RouterShape&, std::size_t count) { return count; }
  static void construct(std::byte* element, const RouterShape&) {
    std::uninitialized_value_construct_n(reinterpret_cast<T*>(element), 1);
  }
  static void reset(T& element, std::size_t /*index*/, const RouterShape&) {
    if constexpr (kOnReset == OnReset::power_up) element = T{};
  }
};

/// A row of a mechanism: by line and word of arrivals, masks of the output virtual channels at which a
/// control line arrives (LineWires::as_credits), rings by cycle. all(): its elements, if there is the
/// mechanism.
template <ControlLine... kLinesOfRow>
struct LineArrivals : Row<Word, Heat::hot> {
  static constexpr ControlLine kLines[] = {kLinesOfRow...};
  /// Index of a line among them.
  static constexpr unsigned index(ControlLine line) {
    unsigned index = 0;
    while (kLines[index] != line) ++index;
    return index;
  }
  static std::size_t all(const RouterShape& s) { return sizeof...(kLinesOfRow) * s.arrival_words * s.ring; }
};

}  // namespace flitmend
