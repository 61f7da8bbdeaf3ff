// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "rtl_tlm/signals/byte_series.h"

namespace flitmend {

/// What a recovery protocol costs, all phases of the run.
struct RecoveryCounters {
  std::uint64_t retransmissions = 0;      ///< packets sent again
  std::uint64_t retransmitted_flits = 0;  ///< their flits
  std::uint64_t duplicate_flits = 0;      ///< flits of duplicates that receivers dropped
  std::uint64_t control_messages = 0;     ///< queued at interfaces
  std::uint64_t control_flits = 0;        ///< their flits
  std::uint64_t peak_sender_bytes = 0;    ///< most bytes that one node kept at one time
  ByteSeries kept_bytes{};                ///< by all nodes
  /// The same if senders drop copies when the simulator does: with an assumed guard at the delivery, before
  /// hardware knows of it.
  std::uint64_t assumed_peak_sender_bytes = 0;
  ByteSeries assumed_kept_bytes{};
  std::uint64_t padding_flits = 0;    ///< of padded packets, first attempts only
  std::uint64_t timeouts = 0;         ///< messages torn down by their source: no progress
  std::uint64_t requests = 0;         ///< recovery requests made, repetitions not counted
  std::uint64_t guard_spurious = 0;   ///< the guard sent again what was not lost
  std::uint64_t detected_losses = 0;  ///< messages that the protocol lost and the guard noticed
  std::uint64_t guard_repaired = 0;   ///< those of them that were delivered
};

/// What management steps have cost, all phases of the run.
struct ManagementCounters {
  std::uint64_t steps = 0;                 ///< completed
  std::uint64_t restarts = 0;              ///< faults and repairs that came during a step
  std::uint64_t drain_cycles = 0;          ///< in which sources were stopped and flits were in the network
  std::uint64_t recomputation_cycles = 0;  ///< in which the network was empty and tables were recomputed
};

}  // namespace flitmend
