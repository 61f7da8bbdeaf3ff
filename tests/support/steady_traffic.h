// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

/// Uniform random messages of 1 … 9 flits into a fabric, without sockets: the same for every fabric with the
/// same seed and number of nodes.
class SteadyTraffic : private CycleObserver {
 public:
  /// `load`: flits per node and cycle. `messages`: how many in all.
  SteadyTraffic(Fabric& fabric, double load, std::uint64_t messages, std::uint64_t seed = 1)
      : fabric_(fabric), chance_(load / 5), left_(messages), random_(seed, RandomPurpose::test) {
    fabric.add_observer(static_cast<CycleObserver&>(*this));
  }
  bool done() const { return left_ == 0; }

 private:
  void cycle_done(Cycle, const Word*, const Word*, unsigned) override {
    for (NodeId node = 0; node < fabric_.node_count() && left_ > 0; ++node) {
      if (random_.uniform() >= chance_) continue;
      const NodeId other = random_.below(fabric_.node_count() - 1);
      fabric_.network_interface(node).send(other < node ? other : other + 1, 1 + random_.below(9));
      --left_;
    }
  }

  Fabric& fabric_;
  double chance_;
  std::uint64_t left_;
  RandomStream random_;
};

}  // namespace flitmend
