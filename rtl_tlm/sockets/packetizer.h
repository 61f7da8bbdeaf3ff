// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "rtl_tlm/parameters.h"

namespace flitmend {

/// How many messages carry the bytes of a transaction, and how long they are: a head, a tail, and between
/// them data flits of HardwareParameters::flit_bytes.
class Packetizer {
 public:
  explicit Packetizer(const HardwareParameters&);

  /// The longest message that the network can carry, in flits.
  std::uint32_t longest_message() const { return longest_; }
  /// Bytes of the longest message; 0: no message can carry data.
  std::size_t bytes_per_message() const { return per_message_; }
  /// The number of messages that carry this many bytes; at least one.
  std::size_t messages(std::size_t bytes) const {
    return bytes <= per_message_ ? 1 : (bytes + per_message_ - 1) / per_message_;
  }
  /// Flits of the message that carries those bytes from `first` on that fit.
  std::uint32_t flits(std::size_t bytes, std::size_t first) const;

 private:
  std::size_t flit_bytes_;
  std::uint32_t longest_;
  std::size_t per_message_;
};

}  // namespace flitmend
