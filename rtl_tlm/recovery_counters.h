// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// Bytes that are kept from time to time, summed over the cycles.
class ByteCycles {
 public:
  void add(std::uint64_t now, std::uint64_t bytes) {
    advance(now);
    bytes_ += bytes;
  }
  void remove(std::uint64_t now, std::uint64_t bytes) {
    advance(now);
    bytes_ -= bytes;
  }
  /// Of all cycles before `now`.
  std::uint64_t sum(std::uint64_t now) const { return sum_ + bytes_ * (now - since_); }

 private:
  void advance(std::uint64_t now) {
    sum_ = sum(now);
    since_ = now;
  }

  std::uint64_t bytes_ = 0;
  std::uint64_t since_ = 0;
  std::uint64_t sum_ = 0;
};

/// What a recovery protocol costs, all phases of the run.
struct RecoveryCounters {
  std::uint64_t retransmissions = 0;      ///< packets sent again
  std::uint64_t retransmitted_flits = 0;  ///< their flits
  std::uint64_t duplicate_flits = 0;      ///< flits of duplicates that receivers dropped
  std::uint64_t control_messages = 0;     ///< queued at interfaces
  std::uint64_t control_flits = 0;        ///< their flits
  std::uint64_t peak_sender_bytes = 0;    ///< most bytes that one node kept at one time
  ByteCycles kept_bytes{};                ///< by all nodes
  std::uint64_t padding_flits = 0;        ///< of padded packets, first attempts only
  std::uint64_t timeouts = 0;             ///< messages torn down by their source: no progress
  std::uint64_t requests = 0;             ///< recovery requests made, repetitions not counted
  std::uint64_t guard_spurious = 0;       ///< the guard sent again what was not lost
  std::uint64_t detected_losses = 0;      ///< messages that the protocol lost and the guard noticed
  std::uint64_t guard_repaired = 0;       ///< those of them that were delivered
};

}  // namespace flitmend
