// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace flitmend {

/// How far a run has come.
struct Progress {
  std::uint64_t cycle = 0;      ///< cycles simulated
  std::uint64_t last = 0;       ///< cycle in which the run is expected to end; 0: not known
  std::uint64_t in_flight = 0;  ///< messages created and not delivered
};

/// "0:12", "1:02:03": rounded up.
std::string duration_text(double seconds);

/// Hears of progress every now and then.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void update(const Progress&) = 0;
};

/// One line that is written over itself: "42 %, 1.25 Mcycles/s, 0:12 left"; once the last expected cycle is
/// over, or where it is not known: "12000 cycles, 1.25 Mcycles/s, 17 messages in flight".
std::string progress_text(const Progress&, double seconds);

}  // namespace flitmend
