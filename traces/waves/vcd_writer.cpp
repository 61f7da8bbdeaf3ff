// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/vcd_writer.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/text.h"

namespace flitmend {

Timescale Timescale::of_period(std::uint64_t femtoseconds, std::uint64_t first_edge) {
  if (femtoseconds == 0) throw std::invalid_argument("a recording needs a clock period above 0");
  static constexpr std::string_view kUnits[] = {"fs", "ps", "ns", "us", "ms", "s"};
  Timescale t{1, kUnits[0], femtoseconds, first_edge, 1};
  for (unsigned power = 1; power <= 17 && std::gcd(t.ticks, t.first_tick) % 10 == 0; ++power) {
    t.ticks /= 10;
    t.first_tick /= 10;
    t.femtoseconds *= 10;
    t.magnitude = power % 3 == 0 ? 1 : power % 3 == 1 ? 10 : 100;
    t.unit = kUnits[power / 3];
  }
  return t;
}

Timescale Timescale::of_any_clock(std::uint64_t femtoseconds) {
  constexpr std::uint64_t kNanosecond = 1'000'000;
  Timescale t = of_period(femtoseconds);
  t.ticks = std::max<std::uint64_t>(kNanosecond / t.femtoseconds, 1);
  t.even = false;
  return t;
}

std::string vcd_identifier(std::uint64_t number) {
  constexpr std::uint64_t kCharacters = '~' - '!' + 1;
  std::string id;
  for (;;) {
    id.push_back(static_cast<char>('!' + number % kCharacters));
    if (number < kCharacters) return id;
    number = number / kCharacters - 1;
  }
}

VcdWriter::VcdWriter(std::unique_ptr<ByteSink> sink, const Timescale& timescale)
    : sink_(std::move(sink)),
      timescale_(timescale),
      buffer_(kBuffer),
      cursor_(buffer_.data()),
      limit_(buffer_.data() + kBuffer - kRoom) {
  text(formatted("$version Flitmend $end\n$timescale %1% %2% $end\n", timescale_.magnitude, timescale_.unit));
}

VcdWriter::~VcdWriter() {
  close(written_tick_);
}

void VcdWriter::text(std::string_view s) {
  while (!s.empty()) {
    if (cursor_ >= limit_) empty_buffer();
    const std::size_t count = std::min(s.size(), static_cast<std::size_t>(limit_ - cursor_));
    cursor_ = std::copy_n(s.data(), count, cursor_);
    s.remove_prefix(count);
  }
}

void VcdWriter::begin_scope(std::string_view name) {
  text("$scope module ");
  text(name);
  text(" $end\n");
}

void VcdWriter::end_scope() {
  text("$upscope $end\n");
}

VcdWriter::Variable VcdWriter::declare(std::string_view name, unsigned width) {
  const std::string id = vcd_identifier(declared_++);
  text("$var wire " + std::to_string(width) + " " + id + " ");
  text(name);
  text(" $end\n");
  const std::string suffix = (width == 1 ? "" : " ") + id + "\n";
  Variable v{};
  if (suffix.size() > sizeof v.text) throw std::length_error("too many signals for one recording");
  std::copy(suffix.begin(), suffix.end(), v.text);
  v.length = static_cast<std::uint8_t>(suffix.size());
  v.width = static_cast<std::uint8_t>(width);
  return v;
}

void VcdWriter::declare_alias(std::string_view name, const Variable& v) {
  const std::string_view id = std::string_view(v.text, v.length - 1u).substr(v.width == 1 ? 0 : 1);
  text("$var wire " + std::to_string(v.width) + " ");
  text(id);
  text(" ");
  text(name);
  text(" $end\n");
}

void VcdWriter::end_declarations() {
  text("$enddefinitions $end\n");
}

void VcdWriter::begin_initial_values() {
  make_room();
  text("$dumpvars\n");
}

void VcdWriter::end_initial_values() {
  text("$end\n");
}

void VcdWriter::make_room() {
  if (cursor_ >= limit_) empty_buffer();
  if (stepped_) begin_step();
}

void VcdWriter::begin_step() {
  stepped_ = false;
  if (!sink_) return;
  if (filling_) {
    lost_from_ = tick_;
    empty_buffer();
    end(true);
    return;
  }
  boundary_ = sink_->size() + static_cast<std::uint64_t>(cursor_ - buffer_.data());
  if (!any_step_) first_boundary_ = boundary_;
  any_step_ = true;
  char* to = cursor_;
  *to++ = '#';
  to = std::to_chars(to, to + 20, tick_).ptr;
  *to++ = '\n';
  advance(to);
  written_tick_ = tick_;
}

void VcdWriter::empty_buffer() {
  const std::string_view given(buffer_.data(), static_cast<std::size_t>(cursor_ - buffer_.data()));
  if (!sink_ || given.empty()) {
    cursor_ = buffer_.data();
    return;
  }
  const std::uint64_t base = sink_->size();
  writing_ = true;  // first: given data are never passed on twice
  std::atomic_signal_fence(std::memory_order_seq_cst);
  cursor_ = buffer_.data();
  const ByteSink::State state = sink_->write(given.data(), given.size());
  writing_ = false;
  if (state == ByteSink::State::failed) {
    cut(base, given);
    end(true);
    return;
  }
  filling_ |= state == ByteSink::State::filling;
  flushed_boundary_ = boundary_;
  flushed_tick_ = written_tick_;
}

// The sink took only a part of `given`, which follows its first `base` bytes.
void VcdWriter::cut(std::uint64_t base, std::string_view given) {
  const std::uint64_t taken = sink_->size();
  std::uint64_t keep = boundary_;
  lost_from_ = written_tick_;
  if (boundary_ > taken) {
    // The last step begun is not in the file at all. The one before it may be in the part of the buffer that
    // was taken, or begin where that ends (a line that begins with # is a time step, never a value); if not,
    // it is in an earlier buffer.
    const std::string_view there = given.substr(0, taken - base + 1);
    const std::size_t line = there.rfind("\n#");
    if (line != std::string_view::npos || there.starts_with('#')) {
      const std::size_t begin = line != std::string_view::npos ? line + 1 : 0;
      keep = base + begin;
      std::from_chars(given.data() + begin + 1, given.data() + given.size(), lost_from_);
    } else {
      keep = flushed_boundary_;
      lost_from_ = flushed_tick_;
    }
  }
  nothing_kept_ = !any_step_ || keep <= first_boundary_;
  sink_->cut(nothing_kept_ ? 0 : keep);
}

void VcdWriter::end(bool early) {
  if (!sink_) return;
  const std::string error = sink_->error();
  damaged_ = !sink_->close();
  if (early || damaged_) failure_ = error.empty() ? sink_->error() : error;
  sink_.reset();
}

void VcdWriter::flush() {
  empty_buffer();
}

void VcdWriter::rescue() noexcept {
  if (!sink_ || writing_) return;
  if (any_step_) {
    *cursor_++ = '#';
    cursor_ = std::to_chars(cursor_, cursor_ + 20, tick_ + (timescale_.even ? timescale_.ticks : 1)).ptr;
    *cursor_++ = '\n';
  }
  sink_->rescue(buffer_.data(), static_cast<std::size_t>(cursor_ - buffer_.data()));
}

void VcdWriter::close(std::uint64_t tick) {
  if (!sink_) return;
  if (tick > written_tick_ || !any_step_) {
    filling_ = false;  // there is room for a time
    step(tick);
    make_room();
  }
  empty_buffer();
  end(false);
}

}  // namespace flitmend
