// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/foreign/flit_codec.h"

#include <algorithm>
#include <bit>
#include <systemc>

#include "base/bits.h"
#include "base/random_stream.h"
#include "base/text.h"
#include "rtl_tlm/sockets/transaction.h"

namespace flitmend {
namespace {

constexpr unsigned kKinds = 9;

/// What each field is, for the package.
constexpr std::array<const char*, kFlitFields> kMeanings = {
    "of kind_t",
    "virtual channel on this channel",
    "node",
    "node",
    "number of the message at its source",
    "flits of the message, head and tail included",
    "routing state h of the head",
    "of the flit within its message, head = 0",
    "number that no other packet in the network has",
    "bytes, the first in the lowest bits",
};

unsigned index_bits(unsigned count) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(count - 1)));
}

/// Bytes of a flit that carries none of a transaction: as if mixed from what names the flit.
std::uint64_t pattern(const Message& m, unsigned number, unsigned byte) {
  std::uint64_t x = (std::uint64_t{m.source} << 48) ^ (std::uint64_t{m.id} << 16) ^ number;
  x = (x + byte / 8 + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return (x ^ x >> 32) >> (byte % 8 * 8) & 0xff;
}

unsigned char data_byte(const Flit& flit, const Message& m, unsigned flit_bytes, unsigned byte) {
  if (m.carries_bytes && m.transaction && flit.kind == FlitKind::data) {
    const auto& part = *static_cast<const TransactionPart*>(m.transaction);
    const std::size_t at = part.first + std::size_t{flit.number - 1u} * flit_bytes + byte;
    const auto& bytes = part.transaction->bytes;
    return at < bytes.size() ? bytes[at] : static_cast<unsigned char>(0);
  }
  return static_cast<unsigned char>(pattern(m, flit.number, byte));
}

}  // namespace

const char* to_string(FlitField field) {
  constexpr std::array<const char*, kFlitFields> names = {"kind",       "vc",     "destination",   "source",
                                                          "message_id", "length", "routing_state", "number",
                                                          "packet",     "data"};
  return names[static_cast<unsigned>(field)];
}

FlitCodec::FlitCodec(const Topology& topology, const HardwareParameters& hardware, unsigned state_bits)
    : vcs_(hardware.router.virtual_channels),
      nodes_(topology.node_count()),
      buffer_(hardware.router.input_buffer) {
  const unsigned node = index_bits(nodes_);
  width_ = {index_bits(kKinds),
            index_bits(hardware.router.virtual_channels),
            node,
            node,
            32,
            16,
            std::min(state_bits, 64u),
            16,
            hardware.recovery_units ? 32u : 0u,
            hardware.link.flit_bits()};
  for (unsigned f = 0; f < kFlitFields; ++f) {
    low_[f] = bits_;
    bits_ += width_[f];
  }
}

void FlitCodec::set_bits(unsigned low, unsigned width, std::uint64_t value,
                         std::span<std::uint32_t> words) const {
  for (unsigned done = 0; done < width;) {
    const unsigned shift = (low + done) % 32;
    const unsigned count = std::min(32 - shift, width - done);
    const auto mask = static_cast<std::uint32_t>(low_bits(count) << shift);
    std::uint32_t& word = words[(low + done) / 32];
    word = (word & ~mask) | (static_cast<std::uint32_t>(value >> done << shift) & mask);
    done += count;
  }
}

void FlitCodec::set(FlitField f, std::uint64_t value, std::span<std::uint32_t> words) const {
  set_bits(low(f), width(f), value, words);
}

void FlitCodec::encode(const Flit& flit, const Message& m, std::span<std::uint32_t> words) const {
  std::fill(words.begin(), words.end(), 0u);
  set(FlitField::kind, static_cast<unsigned>(flit.kind), words);
  set(FlitField::vc, flit.vc, words);
  set(FlitField::destination, m.destination, words);
  set(FlitField::source, m.source, words);
  set(FlitField::message_id, m.id, words);
  set(FlitField::length, m.length, words);
  const unsigned state = width(FlitField::routing_state);
  if (state < 64 && m.head_state >> state != 0)
    SC_REPORT_FATAL(
        "flitmend/foreign",
        formatted(
            "routing state %1% does not fit into %2% bits of a flit: make the FlitCodec with more state bits",
            m.head_state, state)
            .c_str());
  set(FlitField::routing_state, m.head_state, words);
  set(FlitField::number, flit.number, words);
  set(FlitField::packet, flit.message, words);
  const unsigned bytes = width(FlitField::data) / 8;
  for (unsigned i = 0; i < bytes; ++i)
    set_bits(low(FlitField::data) + 8 * i, 8, data_byte(flit, m, bytes, i), words);
}

std::uint64_t FlitCodec::value(FlitField f, std::span<const std::uint32_t> words) const {
  std::uint64_t found = 0;
  for (unsigned done = 0; done < std::min(width(f), 64u);) {
    const unsigned shift = (low(f) + done) % 32;
    const unsigned count = std::min(32 - shift, width(f) - done);
    found |= (std::uint64_t{words[(low(f) + done) / 32]} >> shift & low_bits(count)) << done;
    done += count;
  }
  return found;
}

std::vector<unsigned char> FlitCodec::data(std::span<const std::uint32_t> words) const {
  std::vector<unsigned char> bytes(width(FlitField::data) / 8);
  for (unsigned i = 0; i < bytes.size(); ++i) {
    const unsigned at = low(FlitField::data) + 8 * i;
    std::uint32_t byte = words[at / 32] >> (at % 32);
    if (at % 32 > 24) byte |= words[at / 32 + 1] << (32 - at % 32);
    bytes[i] = static_cast<unsigned char>(byte);
  }
  return bytes;
}

std::optional<FlitField> FlitCodec::difference(std::span<const std::uint32_t> a,
                                               std::span<const std::uint32_t> b) const {
  for (unsigned i = 0; i < kFlitFields; ++i) {
    const auto f = static_cast<FlitField>(i);
    if (f == FlitField::vc || f == FlitField::routing_state) continue;
    if (f == FlitField::data ? data(a) != data(b) : value(f, a) != value(f, b)) return f;
  }
  return std::nullopt;
}

std::string FlitCodec::describe_difference(FlitField f, std::span<const std::uint32_t> found,
                                           std::span<const std::uint32_t> expected) const {
  const auto text = [&](std::span<const std::uint32_t> words) {
    if (f == FlitField::kind && value(f, words) < kKinds)
      return std::string(to_string(static_cast<FlitKind>(value(f, words))));
    if (f != FlitField::data) return std::to_string(value(f, words));
    std::string hex;
    for (const unsigned char byte : data(words)) hex += formatted("%02x", unsigned{byte});
    return hex;
  };
  return std::string(to_string(f)) + " " + text(found) + " instead of " + text(expected);
}

std::string FlitCodec::systemverilog(const std::string& package) const {
  std::string text = formatted(
      "// A flit on a wire. Made by: flitmend rtl. %1% bits.\n"
      "package %2%;\n"
      "  localparam int unsigned FLIT_BITS = %1%;\n"
      "  localparam int unsigned VCS = %3%;    // virtual channels per channel\n"
      "  localparam int unsigned DEPTH = %4%;  // flits per virtual channel\n"
      "  localparam int unsigned NODES = %5%;\n",
      bits_, package, vcs_, buffer_, nodes_);
  for (unsigned i = 0; i < kFlitFields; ++i) {
    std::string name = to_string(static_cast<FlitField>(i));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
    text += formatted("  localparam int unsigned %1%_BITS = %2%;\n", name, width_[i]);
  }
  text += "  typedef enum logic [KIND_BITS-1:0] {\n";
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    std::string name = to_string(static_cast<FlitKind>(kind));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); });
    text += formatted("    KIND_%1% = %2%%3%\n", name, kind, kind + 1 < kKinds ? "," : "");
  }
  text += "  } kind_t;\n  typedef struct packed {  // the highest bits first\n";
  for (unsigned i = kFlitFields; i-- > 0;) {
    if (width_[i] == 0) continue;
    const std::string name = to_string(static_cast<FlitField>(i));
    const std::string type = i == 0 ? "kind_t" : formatted("logic [%1%:0]", width_[i] - 1);
    text += formatted("    %1% %2%;  // bits %3% to %4%: %5%\n", type, name, low_[i] + width_[i] - 1, low_[i],
                      kMeanings[i]);
  }
  return text + "  } flit_t;\nendpackage\n";
}

}  // namespace flitmend
