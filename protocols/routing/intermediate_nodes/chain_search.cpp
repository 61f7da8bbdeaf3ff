// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/chain_search.h"

#include <algorithm>

namespace flitmend {

ChainSearch::ChainSearch(const KnsFaults& faults, std::uint32_t source, std::uint32_t destination,
                         std::span<const std::uint32_t> routers)
    : faults_(faults), source_(source), layers_(1) {
  for (const std::uint32_t router : routers) {
    (faults.clean(source, router) ? from_source_ : others_).push_back(router);
    if (faults.clean(router, destination))
      layers_[0].push_back({router, faults.hops(router, destination), 1.0});
  }
}

std::optional<ChainSearch::Step> ChainSearch::best_step(std::uint32_t router, const Layer& next) const {
  std::optional<Step> best;
  for (const Step& step : next) {
    if (!faults_.clean(router, step.router)) continue;
    const unsigned hops = faults_.hops(router, step.router) + step.hops_left;
    if (!best || hops < best->hops_left)
      best = {router, hops, step.ways};
    else if (hops == best->hops_left)
      best->ways += step.ways;
  }
  return best;
}

void ChainSearch::extend(Layer& layer, const Layer& next, std::span<const std::uint32_t> routers) const {
  for (const std::uint32_t router : routers)
    if (const auto step = best_step(router, next)) layer.push_back(*step);
}

std::optional<IntermediateChain> ChainSearch::find(unsigned max_intermediates, unsigned max_hops,
                                                   RandomStream* ties) {
  for (unsigned count = 1; count <= max_intermediates; ++count) {
    if (layers_.size() < count) {
      // Only routers that the source reaches matter for the layer next to the source; the others are needed
      // once the search goes further.
      layers_.emplace_back();
      extend(layers_[count - 1], layers_[count - 2], from_source_);
    }
    if (const auto step = best_step(source_, layers_[count - 1]); step && step->hops_left <= max_hops)
      return pick(count, step->hops_left, ties);
    if (count > 1 && count < max_intermediates) {
      Layer& layer = layers_[count - 1];
      extend(layer, layers_[count - 2], others_);
      std::sort(layer.begin(), layer.end(), [](const Step& a, const Step& b) { return a.router < b.router; });
    }
  }
  return std::nullopt;
}

IntermediateChain ChainSearch::pick(unsigned count, unsigned hops, RandomStream* ties) const {
  IntermediateChain chain;
  chain.count = static_cast<std::uint8_t>(count);
  chain.hops = static_cast<std::uint8_t>(hops);
  std::uint32_t at = source_;
  for (unsigned j = 0; j < count; ++j) {
    Layer candidates;
    double ways = 0;
    for (const Step& step : layers_[count - 1 - j])
      if (faults_.hops(at, step.router) + step.hops_left == hops && faults_.clean(at, step.router)) {
        candidates.push_back(step);
        ways += step.ways;
      }
    std::size_t chosen = 0;
    if (ties) {
      double rest = ties->uniform() * ways;
      while (chosen + 1 < candidates.size() && rest >= candidates[chosen].ways)
        rest -= candidates[chosen++].ways;
    }
    chain.nodes[j] = candidates[chosen].router;
    hops = candidates[chosen].hops_left;
    at = chain.nodes[j];
  }
  return chain;
}

}  // namespace flitmend
