// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/chooser.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

#include "base/choices.h"
#include "base/errors.h"
#include "base/random_stream.h"
#include "base/text.h"
#include "protocols/routing/intermediate_nodes/chain_search.h"

namespace flitmend {
namespace {

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
