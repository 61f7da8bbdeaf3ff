// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend::end_to_end {

/// Messages between a pair of nodes that may be under way at once.
inline constexpr std::uint32_t kWindow = 8;

/// The messages that have arrived from one source: all those before `first`, and those in the window after it
/// whose bit is set. Numbers wrap around; a sender is never more than a window ahead.
class ReceiveWindow {
 public:
  bool has(std::uint32_t sequence) const {
    const std::uint32_t ahead = sequence - first_;
    return ahead >= kWindow || (bits_ >> ahead & 1) != 0;
  }
  void add(std::uint32_t sequence) {
    bits_ |= 1u << (sequence - first_);
    for (; bits_ & 1; bits_ >>= 1) ++first_;
  }
  /// What a selective acknowledgement tells: the number before which all have arrived, and a bit for each of
  /// the kWindow numbers from it on.
  std::uint32_t first() const { return first_; }
  std::uint8_t bits() const { return static_cast<std::uint8_t>(bits_); }

 private:
  std::uint32_t first_ = 0;
  std::uint32_t bits_ = 0;
};

/// Whether a selective acknowledgement, maybe an old one, says that a message has arrived.
constexpr bool arrived(std::uint32_t sequence, std::uint32_t first, std::uint8_t bits) {
  const auto ahead = static_cast<std::int32_t>(sequence - first);
  return ahead < 0 || (ahead < static_cast<std::int32_t>(kWindow) && (bits >> ahead & 1) != 0);
}

}  // namespace flitmend::end_to_end
