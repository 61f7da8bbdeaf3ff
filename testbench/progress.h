// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace flitmend {

/// Progress of a run.
struct Progress {
  std::uint64_t cycle = 0;      ///< cycles simulated
  std::uint64_t last = 0;       ///< cycle in which the run is expected to end; 0: unknown
  std::uint64_t in_flight = 0;  ///< messages created and not delivered
};

/// "0:12", "1:02:03": rounded up.
std::string duration_text(double seconds);

/// Receives progress from time to time.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void update(const Progress&) = 0;
};

/// One line that overwrites itself: "42 %, 1.25 Mcycles/s, 0:12 left"; after the last expected cycle, or if
/// that is unknown: "12000 cycles, 1.25 Mcycles/s, 17 messages in flight".
std::string progress_text(const Progress&, double seconds);

}  // namespace flitmend
