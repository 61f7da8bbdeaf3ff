// SPDX-License-Identifier: Apache-2.0
// How a hardware register is declared: once, with everything needed by waves, SystemC objects, the count of
// storage bits and docs/hardware.md.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/bits.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// What a register holds: its type, and how a viewer shows it.
enum class RegisterForm : std::uint8_t {
  number,
  bit,
  fault,       ///< a bit that is set while something is faulty
  mask,        ///< one bit per virtual channel
  route_fsm,   ///< RouteFsm
  stage,       ///< PipelineStage
  flit_kind,   ///< FlitKind
  vc,          ///< a virtual channel of one channel
  port,        ///< a port of the router
  router_vc,   ///< a virtual channel of the router: id = port · virtual channels + vc
  node,        ///< a node of the network
  message_id,  ///< id of a message, counted per source
  word,        ///< routing state of a head, or number of any other flit
  flits,       ///< memory of a buffer: its bits are counted, but it is not shown
  candidates,  ///< memory of route candidates: the same
  ids          ///< memory of a receiver, a word per source: an id, and a bit for each from it on
};

/// Where a register is kept.
enum class Storage : std::uint8_t {
  hot,      ///< in a hot row of the router's block
  cold,     ///< in a cold row
  object,   ///< in a SystemC object: a channel, a network interface
  derived,  ///< computed from other registers; takes no bits
};
template <class R>
inline constexpr Storage stored_in = R::kHeat == Heat::hot ? Storage::hot : Storage::cold;

/// A value that may be absent, such as the message of an idle virtual channel: z in waves.
using RegisterValue = std::optional<std::uint64_t>;

/// A field of a message's descriptor.
template <auto kField>
RegisterValue message_field(const MessagePool& messages, MessageIndex index) {
  return index == kNoMessage ? RegisterValue() : RegisterValue(messages[index].*kField);
}

/// The condition under which an Owner has a register.
template <class Owner>
struct Condition {
  std::string_view when;  ///< for docs/hardware.md; "": always
  bool (*holds)(const Owner&) = nullptr;
  bool planned = false;  ///< no configuration has it yet: left out of docs/hardware.md
};

/// One register of every Owner. Owner is a handle type with layout(), the layout of its router.
template <class Owner>
struct RegisterEntry {
  std::string_view name;  ///< relative to its owner, in waves and SystemC; dots separate scopes
  RegisterForm form = RegisterForm::number;
  Storage storage = Storage::derived;
  std::uint64_t (*greatest)(const Owner&) = nullptr;  ///< number: greatest value; memory: words
  RegisterValue (*read)(const Owner&) = nullptr;      ///< at the end of the last cycle evaluated
  std::string_view purpose;
  Condition<Owner> present{};
  Condition<Owner> counted{};  ///< when it is hardware; otherwise the simulator has it for waves alone

  bool exists(const Owner& owner) const { return !present.holds || present.holds(owner); }
  bool readable(const Owner& owner) const { return read && exists(owner); }
  bool is_hardware(const Owner& owner) const { return !counted.holds || counted.holds(owner); }
};

/// Bits of a flit on a channel: data and kind. Its virtual channel has separate wires. One kind is padding,
/// for which there is a wire of its own (PAD) where there is padding at all.
inline unsigned flit_bits(const RouterLayout& shape) {
  const auto others = static_cast<unsigned>(std::bit_width(enum_words<FlitKind>().size() - 2));
  return shape.context.hardware.link.flit_bits() + others + (shape.padding ? 1 : 0);
}

inline constexpr bool is_memory(RegisterForm form) {
  return form >= RegisterForm::flits;
}

/// Bits of a value of that form, 0 if only one value is possible; for a memory, bits per word.
inline unsigned form_bits(RegisterForm form, const RouterLayout& shape, std::uint64_t greatest) {
  const auto bits_of = [](std::uint64_t number) { return static_cast<unsigned>(std::bit_width(number)); };
  switch (form) {
    case RegisterForm::number:
      return bits_of(greatest);
    case RegisterForm::bit:
    case RegisterForm::fault:
      return 1;
    case RegisterForm::mask:
      return static_cast<unsigned>(shape.vcs);
    case RegisterForm::route_fsm:  // BACKUP and LANE need a mechanism each; no router has both
      return bits_of(static_cast<std::uint64_t>(RouteFsm::absorb) + shape.withdraws);
    case RegisterForm::stage:
      return enum_width<PipelineStage>();
    case RegisterForm::flit_kind:
      return enum_width<FlitKind>();
    case RegisterForm::vc:
      return bits_of(shape.vcs - 1);
    case RegisterForm::port:
      return bits_of(shape.ports - 1);
    case RegisterForm::router_vc:
      return bits_of(shape.ids - 1);
    case RegisterForm::node:
      return bits_of(shape.context.topology.node_count() - 1);
    case RegisterForm::message_id:
      return 32;
    case RegisterForm::word:
      return 64;
    case RegisterForm::flits:
      return flit_bits(shape);
    case RegisterForm::candidates:
      return bits_of(shape.ports - 1) + bits_of(shape.classes - 1);
    case RegisterForm::ids:
      return 32 + static_cast<unsigned>(shape.id_memory);
  }
  return 0;
}

/// Bits of a register; for a memory, bits per word.
template <class Owner>
unsigned entry_bits(const RegisterEntry<Owner>& entry, const Owner& owner) {
  return form_bits(entry.form, owner.layout(), entry.greatest ? entry.greatest(owner) : 0);
}

/// The same for viewers: at least 1, and room for every state that a word stands for.
template <class Owner>
unsigned register_width(const RegisterEntry<Owner>& entry, const Owner& owner) {
  if (entry.form == RegisterForm::route_fsm) return enum_width<RouteFsm>();
  return std::max(1u, entry_bits(entry, owner));
}

/// Bits of storage that a register takes in an owner, 0 if it does not exist or is derived.
template <class Owner>
std::uint64_t storage_bits(const RegisterEntry<Owner>& entry, const Owner& owner) {
  if (entry.storage == Storage::derived || !entry.exists(owner) || !entry.is_hardware(owner)) return 0;
  const std::uint64_t width = entry_bits(entry, owner);
  return is_memory(entry.form) ? width * entry.greatest(owner) : width;
}

/// Reads kEntries, an array of RegisterEntry<Owner>, into values[i]; 0 for a register without a value.
/// Returns a mask of the registers that have one. Entries are known at compile time, so readers are inlined.
template <const auto& kEntries, class Owner>
Word read_registers(const Owner& owner, Word* values) {
  constexpr std::size_t kCount = std::size(kEntries);
  static_assert(kCount <= kWordBits);
  std::array<Word, kCount> found{};  // not `values`, which for the compiler might alias registers
  Word there = 0;
  const auto read = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
    constexpr const RegisterEntry<Owner>& entry = kEntries[i];
    // No `if constexpr`: with -fsanitize=undefined, GCC 12 does not accept a comparison of function pointers
    // as a constant expression.
    const auto reader = entry.read;
    const auto holds = entry.present.holds;
    if (!reader || (holds && !holds(owner))) return;
    const RegisterValue value = reader(owner);
    found[i] = value.value_or(0);
    there |= Word{value.has_value()} << i;
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (read(std::integral_constant<std::size_t, i>{}), ...);
  }
  (std::make_index_sequence<kCount>{});
  std::copy(found.begin(), found.end(), values);
  return there;
}

}  // namespace flitmend
