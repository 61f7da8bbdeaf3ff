// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// What heads that go back at busy channels (Probes) have done, all phases of the run.
struct ProbeCounters {
  std::uint64_t turned_back = 0;  ///< heads that found no free channel at a router and left it backwards
  std::uint64_t hops_back = 0;    ///< channels that heads have released on their way back
  std::uint64_t retries = 0;      ///< times that a source waited and began again
  std::uint64_t dead_ends = 0;    ///< messages abandoned, since the search met dead ports only
};

}  // namespace flitmend
