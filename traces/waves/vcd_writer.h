// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "traces/waves/byte_sink.h"

namespace flitmend {

/// The unit of time of a recording, a tick: the greatest of 1, 10 and 100 fs, ps, ns, us, ms, s that divides
/// the clock period and the time of the first edge.
struct Timescale {
  unsigned magnitude = 1;  ///< 1, 10 or 100
  std::string_view unit = "ns";
  std::uint64_t ticks = 1;                 ///< of one clock period
  std::uint64_t first_tick = 0;            ///< of cycle 0
  std::uint64_t femtoseconds = 1'000'000;  ///< of one tick
  bool even = true;                        ///< the clock has a period; if not, ticks is a guess

  /// Throws std::invalid_argument for a period of 0.
  static Timescale of_period(std::uint64_t femtoseconds, std::uint64_t first_edge = 0);
  /// Of a clock without a period, whose edges are at multiples of a power of ten.
  static Timescale of_any_clock(std::uint64_t femtoseconds);
  /// Of an even clock.
  std::uint64_t tick_of(std::uint64_t cycle) const { return first_tick + cycle * ticks; }
};

/// Short names of the variables of a VCD file (IEEE 1364-2005, 18.2): 1, 2, … printable characters, each used
/// once.
std::string vcd_identifier(std::uint64_t number);

/// Writes a value change dump (IEEE 1364-2005, clause 18): scopes and variables first, then time steps with
/// the values that changed. Variables have 1 … 64 bits; a value may be absent (z).
///
/// A time step appears only if something changed in it. If the sink fails, the file is cut after the last
/// complete time step, failure() says why, and everything that follows is ignored.
class VcdWriter {
 public:
  /// A declared variable: the text that follows its value in the file.
  struct Variable {
    char text[6];         ///< a blank (not for a single bit), identifier, line end
    std::uint8_t length;  ///< of text
    std::uint8_t width;   ///< bits, 1 … 64
  };

  VcdWriter(std::unique_ptr<ByteSink>, const Timescale&);
  ~VcdWriter();
  VcdWriter(const VcdWriter&) = delete;
  VcdWriter& operator=(const VcdWriter&) = delete;

  /// Declarations, in order, scopes nested; then end_declarations(), once.
  void begin_scope(std::string_view name);
  void end_scope();
  Variable declare(std::string_view name, unsigned width);
  /// Another name, in the current scope, for a declared variable.
  void declare_alias(std::string_view name, const Variable&);
  void end_declarations();

  /// Moves time to this tick, later than any before. Nothing is written before a value changes.
  void step(std::uint64_t tick) {
    tick_ = tick;
    stepped_ = true;
  }
  /// The values of all variables at the first time step are written between these two.
  void begin_initial_values();
  void end_initial_values();

  /// Writes the lowest bits of the value, as many as the variable has.
  void change(const Variable& v, std::uint64_t value) {
    if (cursor_ >= limit_ || stepped_) make_room();
    char* to = cursor_;
    if (v.width == 1) {
      *to++ = value & 1 ? '1' : '0';
    } else {
      *to++ = 'b';
      to = write_binary(to, value & low_bits(v.width));
    }
    finish(v, to);
  }
  void change_to_absent(const Variable& v) {
    if (cursor_ >= limit_ || stepped_) make_room();
    char* to = cursor_;
    if (v.width != 1) *to++ = 'b';
    *to++ = 'z';
    finish(v, to);
  }

  /// Passes everything to the sink, so that a reader sees all complete time steps.
  void flush();
  /// Ends the recording at this tick (not before the last step) and closes the file; later calls do nothing.
  void close(std::uint64_t tick);

  /// In the handler of a signal that ends the process: passes on what is complete, and ends the recording one
  /// cycle after the last one. If the signal arrives while the sink takes a block, part of that block may be
  /// lost, and the file may end within a line.
  void rescue() noexcept;

  bool open() const { return sink_ != nullptr; }
  /// Why the recording ended early, "" if it did not.
  const std::string& failure() const { return failure_; }
  /// If the recording ended early: the first tick whose values are not in the file.
  std::uint64_t lost_from() const { return lost_from_; }
  /// Whether a failed recording kept no time step at all (its file is removed).
  bool nothing_kept() const { return nothing_kept_; }
  /// Whether the file could not be completed: it may not be readable.
  bool damaged() const { return damaged_; }

  /// Binary digits without leading zeros, at least one; writes up to 7 bytes beyond the end that it returns.
  static char* write_binary(char* to, std::uint64_t value) {
    const int digits = 64 - std::countl_zero(value | 1);
    value <<= 64 - digits;
    for (int written = 0; written < digits; written += 8, value <<= 8)
      std::memcpy(to + written, kDigits[value >> 56].data(), 8);
    return to + digits;
  }

 private:
  // The eight digits of every byte.
  static constexpr auto kDigits = [] {
    std::array<std::array<char, 8>, 256> digits{};
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned i = 0; i < 8; ++i) digits[byte][i] = byte >> (7 - i) & 1 ? '1' : '0';
    return digits;
  }();
  static constexpr std::size_t kBuffer = 256 * 1024;
  static constexpr std::size_t kRoom = 128;  // longer than any change with its time step

  void finish(const Variable& v, char* to) {
    std::memcpy(to, v.text, sizeof v.text);
    advance(to + v.length);
  }
  /// Moves the cursor behind a whole line that has been written, so that rescue() never sees a part of one.
  void advance(char* to) {
    std::atomic_signal_fence(std::memory_order_release);
    cursor_ = to;
  }
  void text(std::string_view);
  void make_room();
  void begin_step();
  void empty_buffer();
  void cut(std::uint64_t base, std::string_view given);
  void end(bool early);

  std::unique_ptr<ByteSink> sink_;
  Timescale timescale_;
  std::vector<char> buffer_;
  char* cursor_;
  char* limit_;  // a change must begin before it
  std::uint64_t tick_ = 0;
  bool stepped_ = false;           // tick_ is not written yet
  volatile bool writing_ = false;  // the sink is taking the buffer
  bool filling_ = false;           // the sink reported that it is filling
  bool any_step_ = false;          // a time step has begun
  std::uint64_t written_tick_ = 0;
  std::uint64_t boundary_ = 0;          // size of the file up to the last time step begun
  std::uint64_t flushed_boundary_ = 0;  // the same, for the steps begun in what the sink has taken
  std::uint64_t flushed_tick_ = 0;
  std::uint64_t lost_from_ = 0;
  std::uint64_t first_boundary_ = 0;  // the same, for the first step: the end of the declarations
  std::uint64_t declared_ = 0;
  std::string failure_;
  bool nothing_kept_ = false;
  bool damaged_ = false;
};

}  // namespace flitmend
