// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/chooser.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/choices.h"
#include "base/errors.h"
#include "base/random_stream.h"
#include "base/text.h"
#include "protocols/routing/intermediate_nodes/chain.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {
namespace {

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

/// The routers on minimal paths: each digit is the source's or the destination's. Ascending.
std::vector<std::uint32_t> corners(const KnsFaults& faults, std::uint32_t source, std::uint32_t destination) {
  const KnsShape& shape = faults.shape();
  std::vector<std::uint32_t> routers{source};
  for (unsigned i = 0; i < shape.n(); ++i) {
    const std::uint32_t a = faults.digit(source, i);
    const std::uint32_t b = faults.digit(destination, i);
    if (a == b) continue;
    const std::size_t known = routers.size();
    for (std::size_t r = 0; r < known; ++r)
      routers.push_back(routers[r] + b * shape.power(i) - a * shape.power(i));
  }
  std::sort(routers.begin(), routers.end());
  return routers;
}

/// A stream that depends only on the pair.
RandomStream stream_of_pair(std::uint64_t seed, std::uint32_t source, std::uint32_t destination) {
  RandomStream of_source(seed, RandomPurpose::routing, source);
  return RandomStream(of_source.bits64(), RandomPurpose::routing, destination);
}

constexpr unsigned kAnyHops = ~0u;

}  // namespace

const std::vector<Choice>& intermediate_policies() {
  static const std::vector<Choice> choices(std::begin(kIntermediatePolicies),
                                           std::end(kIntermediatePolicies));
  return choices;
}

const std::vector<Choice>& intermediate_ties() {
  static const std::vector<Choice> choices(std::begin(kIntermediateTies), std::end(kIntermediateTies));
  return choices;
}

IntermediatePolicy intermediate_policy(std::string_view name) {
  return static_cast<IntermediatePolicy>(choice_index("policy", intermediate_policies(), name));
}

IntermediateTies intermediate_tie(std::string_view name) {
  return static_cast<IntermediateTies>(choice_index("tie-break", intermediate_ties(), name));
}

IntermediateChooser::IntermediateChooser(const KnsFaults& faults, const IntermediateSettings& settings)
    : faults_(faults), settings_(settings) {
  if (settings.max_intermediates > IntermediateList::kMaxIntermediates)
    throw ConfigurationError(formatted("intermediates is %1%; at most %2% are supported",
                                       settings.max_intermediates, IntermediateList::kMaxIntermediates));
  if (settings.policy == IntermediatePolicy::minimal_first && faults.shape().n() > kMaxMinimalDimensions)
    throw ConfigurationError(formatted(
        "policy minimal-first supports networks of at most %1% dimensions; %2% has more; use policy fewest",
        kMaxMinimalDimensions, faults.shape().description()));
}

IntermediateChain IntermediateChooser::choose(std::uint32_t source, std::uint32_t destination) const {
  const unsigned direct = faults_.hops(source, destination);
  IntermediateChain chain;
  chain.hops = static_cast<std::uint8_t>(direct);
  if (faults_.clean(source, destination)) return chain;

  const unsigned allowed = settings_.max_intermediates;
  RandomStream stream = stream_of_pair(settings_.seed, source, destination);
  RandomStream* const ties = settings_.ties == IntermediateTies::random ? &stream : nullptr;
  if (direct <= kMaxMinimalDimensions) {
    // With one intermediate nothing is better than a minimal path; with more, only under minimal-first.
    const unsigned depth =
        std::min({allowed, direct - 1, settings_.policy == IntermediatePolicy::minimal_first ? direct : 1});
    if (const auto found = ChainSearch(faults_, source, destination, corners(faults_, source, destination))
                               .find(depth, direct, ties))
      return *found;
  }
  std::vector<std::uint32_t> all(faults_.shape().node_count());
  std::iota(all.begin(), all.end(), 0u);
  if (const auto found = ChainSearch(faults_, source, destination, all).find(allowed, kAnyHops, ties))
    return *found;
  chain.reachable = false;
  return chain;
}

bool IntermediateChooser::as_good(std::uint32_t source, std::uint32_t destination,
                                  const IntermediateChain& chosen, const IntermediateList& list) const {
  if (list.reachable != chosen.reachable || list.count != chosen.count) return false;
  if (!chosen.reachable) return true;
  unsigned hops = 0;
  std::uint32_t at = source;
  for (const std::uint32_t next : list.intermediates()) {
    if (!faults_.clean(at, next)) return false;
    hops += faults_.hops(at, next);
    at = next;
  }
  return faults_.clean(at, destination) && hops + faults_.hops(at, destination) == chosen.hops;
}

}  // namespace flitmend
