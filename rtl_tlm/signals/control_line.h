// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace flitmend {

/// The control lines beside the flits of a channel (control_lines.def).
enum class ControlLine : std::uint8_t {
#define FLITMEND_CONTROL_LINE(name, direction, wires, ends, purpose, greatest) name,
#include "rtl_tlm/signals/control_lines.def"
#undef FLITMEND_CONTROL_LINE
};

enum class LineDirection : std::uint8_t { with_flits, against_flits };
enum class LineWires : std::uint8_t { per_vc, as_credits, per_channel, flit_kind, number };
enum class LineEnds : std::uint8_t { routers, interfaces };

struct ControlLineTraits {
  std::string_view name;  ///< in waves, statistics and `flitmend list recovery`
  LineDirection direction;
  LineWires wires;
  LineEnds ends;
  std::string_view purpose;
};

/// By ControlLine.
inline constexpr ControlLineTraits kControlLineTraits[] = {
#define FLITMEND_CONTROL_LINE(name, direction, wires, ends, purpose, greatest) \
  {#name, LineDirection::direction, LineWires::wires, LineEnds::ends, purpose},
#include "rtl_tlm/signals/control_lines.def"
#undef FLITMEND_CONTROL_LINE
};
inline constexpr unsigned kControlLines = sizeof kControlLineTraits / sizeof *kControlLineTraits;

constexpr const ControlLineTraits& traits_of(ControlLine line) {
  return kControlLineTraits[static_cast<unsigned>(line)];
}
constexpr bool with_flits(ControlLine line) {
  return traits_of(line).direction == LineDirection::with_flits;
}

/// By ControlLine: how often it has been raised for a virtual channel.
using ControlLinePulses = std::array<std::uint64_t, kControlLines>;

/// A set of control lines, one bit each.
using ControlLineSet = std::uint32_t;
static_assert(kControlLines <= 32);
constexpr ControlLineSet line_bit(ControlLine line) {
  return ControlLineSet{1} << static_cast<unsigned>(line);
}
/// Lines that also exist at network interfaces, if packets are padded.
constexpr ControlLineSet lines_at_interfaces() {
  ControlLineSet lines = 0;
  for (unsigned line = 0; line < kControlLines; ++line)
    if (kControlLineTraits[line].ends == LineEnds::interfaces) lines |= ControlLineSet{1} << line;
  return lines;
}

/// By ControlLine: its index among those that arrive as credits do (LineWires::as_credits), in masks. Then
/// their number.
inline constexpr auto kMaskLineIndex = [] {
  std::array<std::uint8_t, kControlLines + 1> index{};
  for (unsigned line = 0; line < kControlLines; ++line)
    index[line + 1] =
        static_cast<std::uint8_t>(index[line] + (kControlLineTraits[line].wires == LineWires::as_credits));
  return index;
}();
inline constexpr unsigned kMaskLines = kMaskLineIndex[kControlLines];
constexpr unsigned mask_line(ControlLine line) {
  return kMaskLineIndex[static_cast<unsigned>(line)];
}

/// Wires of ControlLine::request: a word of 16 bits, and one that is high with each word.
inline constexpr unsigned kRequestWires = 17;

}  // namespace flitmend
