// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <ctime>

#include "testbench/statistics/results.h"

namespace flitmend {

/// What a run costs on its host. Nothing here may affect any result except `host`.
class HostClock {
 public:
  HostClock();

  /// Call around the run loop; every pair adds to the CPU time.
  void start();
  void stop();
  /// CPU time of this process between start() and stop(), in seconds.
  double cpu_seconds() const { return cpu_seconds_; }

  HostResults results(std::uint64_t flit_hops) const;

 private:
  std::time_t started_;
  double begin_ = 0;
  double cpu_seconds_ = 0;
};

/// Largest resident memory of this process so far, in bytes; 0 if the system does not report it.
std::uint64_t peak_rss_bytes();

}  // namespace flitmend
