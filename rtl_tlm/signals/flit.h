// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

#include "base/bits.h"

namespace flitmend {

/// A value of a hardware enum: its word in SystemC and messages, a short one for a state of one cycle in
/// waves, and its meaning.
struct EnumWord {
  std::string_view word;
  std::string_view short_word;
  std::string_view meaning;
};

/// The words of an enum, by value. Declared for FlitKind (flit.h), RouteFsm and PipelineStage
/// (router_registers.h).
template <class Enum>
std::span<const EnumWord> enum_words();

/// Bits needed for the values of the enum.
template <class Enum>
unsigned enum_width() {
  return width_of(enum_words<Enum>().size() - 1);
}

using VcMask = std::uint64_t;  ///< virtual channels of one physical channel, at most 64
inline constexpr unsigned kMaxVirtualChannels = 64;

using MessageIndex = std::uint32_t;  ///< index of a descriptor in the fabric's MessagePool
inline constexpr MessageIndex kNoMessage = ~MessageIndex{0};

/// The kind of a flit, for the control logic. A message of one flit is a head_tail.
enum class FlitKind : std::uint8_t {
  none = 0,
  head,
  data,
  tail,
  head_tail,
  broken_tail,   ///< ends a piece of a cut message (NFT); appended by recovery units
  virtual_tail,  ///< the same, sent by a source that stops sending the rest
  restart_head,  ///< begins the rest of a message that a router restarts after a fault
  pad,           ///< follows the data of a padded message, before its tail; in hardware the wire PAD
};
template <>
std::span<const EnumWord> enum_words<FlitKind>();
const char* to_string(FlitKind);
constexpr bool is_head(FlitKind k) {
  constexpr unsigned heads = 1u << static_cast<unsigned>(FlitKind::head) |
                             1u << static_cast<unsigned>(FlitKind::head_tail) |
                             1u << static_cast<unsigned>(FlitKind::restart_head);
  return heads >> static_cast<unsigned>(k) & 1;
}
/// Whether the virtual channel is released after this flit.
constexpr bool is_tail(FlitKind k) {
  constexpr unsigned tails = 1u << static_cast<unsigned>(FlitKind::tail) |
                             1u << static_cast<unsigned>(FlitKind::head_tail) |
                             1u << static_cast<unsigned>(FlitKind::broken_tail) |
                             1u << static_cast<unsigned>(FlitKind::virtual_tail);
  return tails >> static_cast<unsigned>(k) & 1;
}

/// Whether the flit ends a piece of a message, not the whole.
inline bool ends_piece(FlitKind k) {
  return k == FlitKind::broken_tail || k == FlitKind::virtual_tail;
}

/// The smallest unit of flow control: a plain value of 8 bytes. The contents are not in it: the head's
/// routing state h is in the message (Message::head_state), and the receiver finds a data flit's bytes by its
/// number.
struct alignas(8) Flit {
  MessageIndex message = kNoMessage;  ///< descriptor: destination, source, id, length, sub-message number
  std::uint16_t number = 0;           ///< sequence number within the message, head = 0
  FlitKind kind = FlitKind::none;
  /// Virtual channel on the physical channel that it crosses. (Not a char type: a char may alias anything, so
  /// the compiler would reload every pointer after each copy of a flit.)
  std::uint16_t vc : 8 = 0;

  friend bool operator==(const Flit&, const Flit&) = default;
};
static_assert(sizeof(Flit) == 8);
std::ostream& operator<<(std::ostream&, const Flit&);

/// Flits that a recovery unit is told about by a virtual call. A body flit of a message whose head is here is
/// never among them.
using FlitHooks = std::uint8_t;
inline constexpr FlitHooks kHeadHook = 1;
inline constexpr FlitHooks kTailHook = 2;  ///< every kind of tail
inline constexpr FlitHooks kStrayHook =
    4;  ///< any other flit than a head that arrives at an idle virtual channel
constexpr FlitHooks hooks_of(FlitKind kind) {
  return static_cast<FlitHooks>((is_head(kind) ? kHeadHook : 0) | (is_tail(kind) ? kTailHook : 0));
}

/// Flits of its message that left before the end that this tail marks: a broken tail is none of them.
inline std::uint16_t flits_before_end(const Flit& tail) {
  const bool real = tail.kind == FlitKind::tail || tail.kind == FlitKind::head_tail;
  return static_cast<std::uint16_t>(tail.number + real);
}

}  // namespace flitmend
