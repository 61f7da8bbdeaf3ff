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
  std::uint32_t first() const { return first_; }

 private:
  std::uint32_t first_ = 0;
  std::uint32_t bits_ = 0;
};

}  // namespace flitmend::end_to_end
