// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rtl_tlm/context.h"

namespace flitmend {

/// The fields of a flit on a wire, from its lowest bit on. A field may have no bits.
enum class FlitField : std::uint8_t {
  kind,
  vc,
  destination,
  source,
  message_id,
  length,
  routing_state,
  number,
  packet,  ///< with a recovery protocol only: tells copies of a message apart
  data
};
inline constexpr unsigned kFlitFields = 10;

/// Encodes flits as bits that need no descriptor, and decodes them: the wire carries the fields that the
/// model keeps in the message's descriptor. The widths follow from the network. A message may have the same
/// bits on every channel, except for its virtual channel and its routing state.
///
/// The data bytes are those of the transaction that the message carries; where it carries none, a pattern
/// that depends on source, message id and number, so that an altered flit is noticed.
class FlitCodec {
 public:
  using Words = std::vector<std::uint32_t>;  ///< of 32 bits, lowest first

  /// `state_bits`: of the routing state h, 0 … 64. Dimension order and others without a state need none.
  FlitCodec(const Topology&, const HardwareParameters&, unsigned state_bits = 0);

  unsigned bits() const { return bits_; }
  /// Words of 32 bits.
  unsigned words() const { return (bits_ + 31) / 32; }
  unsigned low(FlitField f) const { return low_[static_cast<unsigned>(f)]; }
  unsigned width(FlitField f) const { return width_[static_cast<unsigned>(f)]; }

  /// Writes all words. A routing state that does not fit: SC_REPORT_FATAL "flitmend/foreign".
  void encode(const Flit&, const Message&, std::span<std::uint32_t> words) const;
  /// Any field but data.
  std::uint64_t value(FlitField, std::span<const std::uint32_t> words) const;
  std::vector<unsigned char> data(std::span<const std::uint32_t> words) const;
  void set(FlitField, std::uint64_t value, std::span<std::uint32_t> words) const;
  /// The first field in which the two differ; virtual channel and routing state are not compared.
  std::optional<FlitField> difference(std::span<const std::uint32_t>, std::span<const std::uint32_t>) const;
  /// "destination 5 instead of 9"
  std::string describe_difference(FlitField, std::span<const std::uint32_t> found,
                                  std::span<const std::uint32_t> expected) const;

  /// The layout as a SystemVerilog package with that name: widths, an enumeration of the kinds, and the
  /// packed structure flit_t.
  std::string systemverilog(const std::string& package = "flit_pkg") const;

 private:
  void set_bits(unsigned low, unsigned width, std::uint64_t value, std::span<std::uint32_t> words) const;

  std::array<unsigned, kFlitFields> low_{};
  std::array<unsigned, kFlitFields> width_{};
  unsigned bits_ = 0;
  unsigned vcs_;
  unsigned nodes_;
  unsigned buffer_;
};

/// "message_id"
const char* to_string(FlitField);

}  // namespace flitmend
