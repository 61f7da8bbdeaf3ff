// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "protocols/routing/intermediate_nodes/chain.h"
#include "protocols/routing/intermediate_nodes/kns_faults.h"

namespace flitmend {

/// Searches the chain of one pair with the fewest intermediates, and among those with the fewest hops, over a
/// given set of routers that may be intermediates.
class ChainSearch {
 public:
  ChainSearch(const KnsFaults& faults, std::uint32_t source, std::uint32_t destination,
              std::span<const std::uint32_t> routers);

  /// The chain with 1 to `max_intermediates` intermediates and at most `max_hops` hops; none if there is
  /// none. Among equally good chains: drawn uniformly from `ties` or, if that is null, the lexicographically
  /// first.
  std::optional<IntermediateChain> find(unsigned max_intermediates, unsigned max_hops, RandomStream* ties);

 private:
  /// A router from which the destination can be reached over a given number of further intermediates.
  struct Step {
    std::uint32_t router;
    unsigned hops_left;  // fewest possible
    double ways;         // number of chains with that many hops
  };
  using Layer = std::vector<Step>;  // ordered by router number

  std::optional<Step> best_step(std::uint32_t router, const Layer& next) const;
  void extend(Layer& layer, const Layer& next, std::span<const std::uint32_t> routers) const;
  IntermediateChain pick(unsigned count, unsigned hops, RandomStream* ties) const;

  const KnsFaults& faults_;
  std::uint32_t source_;
  std::vector<std::uint32_t> from_source_;  // reached from the source in one segment
  std::vector<std::uint32_t> others_;
  std::vector<Layer> layers_;  // layers_[j]: j further intermediates before the destination
};

}  // namespace flitmend
