// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend::test {

/// A k-ary n-cube without faults, as the queueing model of [Safaei06] assumes it: Poisson sources with one
/// queue each, uniform destinations, dimension order, a hop per cycle, a random one of the free virtual
/// channels. A message that crosses the dateline of a ring uses the low half of the virtual channels before
/// it and the high half after it; any other message uses all.
struct WormholeTorus {
  unsigned radix = 8;
  unsigned dimensions = 2;
  unsigned virtual_channels = 4;
  unsigned buffer = 2;  ///< flits per virtual channel
  unsigned message_length = 32;
  double rate = 0.004;  ///< messages per node per cycle
  std::uint64_t warmup = 10000;
  std::uint64_t measure = 60000;  ///< messages created in these cycles count
};

/// Mean latency in cycles from the creation of a message to the arrival of its tail. A simulator of its own:
/// it shares no code with the hardware model, and knows worms and counters where that has flits and
/// registers.
double mean_latency(const WormholeTorus&, std::uint64_t seed);

}  // namespace flitmend::test
