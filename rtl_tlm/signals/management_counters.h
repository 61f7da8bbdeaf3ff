// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// What management steps have cost, all phases of the run.
struct ManagementCounters {
  std::uint64_t steps = 0;                 ///< completed
  std::uint64_t restarts = 0;              ///< faults and repairs that came during a step
  std::uint64_t drain_cycles = 0;          ///< in which sources were stopped and flits were in the network
  std::uint64_t recomputation_cycles = 0;  ///< in which the network was empty and tables were recomputed
};

}  // namespace flitmend
