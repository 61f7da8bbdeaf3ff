// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/classifier.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

KnsClassifier::KnsClassifier(const KnsShape& shape, unsigned max_intermediates, IntermediatePolicy policy)
    : shape_(shape), max_intermediates_(max_intermediates), policy_(policy), relation_(shape) {
  if (max_intermediates > KnsOutcome::kMaxIntermediates)
    throw ConfigurationError(formatted("intermediates is %1%; at most %2% are supported", max_intermediates,
                                       KnsOutcome::kMaxIntermediates));
  if (policy == IntermediatePolicy::minimal_first && shape.n() > IntermediateChooser::kMaxMinimalDimensions)
    throw ConfigurationError(formatted(
        "policy minimal-first supports networks of at most %1% dimensions; %2% has more; use policy fewest",
        IntermediateChooser::kMaxMinimalDimensions, shape.description()));
  reached_.resize(max_intermediates + 1);
}

void KnsClassifier::start(std::span<const KnsLink> dead_links) {
  relation_.build(dead_links);
  const unsigned sources = relation_.sources().count();
  for (BitRows& level : reached_) level.reset(sources, relation_.destinations().count());
  open_.clear();
  for (unsigned a = 0; a < sources; ++a)
    if (any_bit(relation_.blocked(a), relation_.destination_words())) {
      open_.push_back(a);
      std::copy_n(relation_.clean(a), relation_.destination_words(), reached_[0][a]);
    }
}

/// Goes from `intermediates` − 1 to `intermediates`, and drops the source classes that now reach everything.
void KnsClassifier::advance(unsigned intermediates) {
  const unsigned words = relation_.destination_words();
  std::erase_if(open_, [&](unsigned a) {
    Word* const now = reached_[intermediates][a];
    relation_.extend(reached_[intermediates - 1][a], relation_.blocked(a), now);
    return covers(now, relation_.blocked(a), words);
  });
}

/// Ordered pairs that need more than that many intermediates.
std::uint64_t KnsClassifier::open_pairs(unsigned intermediates) const {
  const unsigned words = relation_.destination_words();
  std::uint64_t pairs = 0;
  for (const unsigned a : open_) {
    const Word* const blocked = relation_.blocked(a);
    const Word* const reached = reached_[intermediates][a];
    std::uint64_t destinations = 0;
    for (unsigned w = 0; w < words; ++w)
      for (Word rest = blocked[w] & ~reached[w]; rest; rest &= rest - 1)
        destinations +=
            relation_.destinations().weight(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
    pairs += relation_.sources().weight(a) * destinations;
  }
  return pairs;
}

/// Links fail in both directions, so the network is connected iff one router reaches all others.
bool KnsClassifier::connected() {
  const unsigned words = relation_.destination_words();
  std::vector<Word> all(words, ~Word{0});
  std::vector<Word> reached(relation_.clean(0), relation_.clean(0) + words);
  std::vector<Word> further(words);
  if (const unsigned rest = relation_.destinations().count() % kWordBits) all[words - 1] = low_bits(rest);
  while (true) {
    relation_.extend(reached.data(), all.data(), further.data());
    if (further == all) return true;
    if (further == reached) return false;
    reached.swap(further);
  }
}

const KnsOutcome& KnsClassifier::classify(std::span<const KnsLink> dead_links) {
  start(dead_links);
  outcome_ = {};
  outcome_.tolerated = open_.empty() ? 0 : KnsOutcome::kNever;
  std::uint64_t open = open_pairs(0);
  outcome_.pairs[0] = shape_.pair_count() - open;
  for (unsigned x = 1; x <= max_intermediates_ && !open_.empty(); ++x) {
    advance(x);
    const std::uint64_t still_open = open_pairs(x);
    outcome_.pairs[x] = open - still_open;
    open = still_open;
    if (open_.empty()) outcome_.tolerated = x;
  }
  outcome_.unreachable = open;
  outcome_.connected = open_.empty() || connected();
  if (policy_ == IntermediatePolicy::minimal_first) correction_.apply(relation_, reached_, outcome_);
  return outcome_;
}

/// Whether a router has lost all its links, the usual reason why a combination is not tolerated.
bool KnsClassifier::isolates_a_router(std::span<const KnsLink> dead_links) {
  nodes_.clear();
  for (const KnsLink& link : dead_links) nodes_.push_back(link.node);
  std::sort(nodes_.begin(), nodes_.end());
  const std::size_t n = shape_.n();
  for (std::size_t i = n; i <= nodes_.size(); ++i)
    if (nodes_[i - n] == nodes_[i - 1]) return true;
  return false;
}

bool KnsClassifier::tolerates(std::span<const KnsLink> dead_links) {
  if (isolates_a_router(dead_links)) return false;
  start(dead_links);
  const unsigned words = relation_.destination_words();
  // One source class after the other, so that the first that fails ends the check.
  return std::all_of(open_.begin(), open_.end(), [&](unsigned a) {
    for (unsigned x = 1; x <= max_intermediates_; ++x) {
      relation_.extend(reached_[x - 1][a], relation_.blocked(a), reached_[x][a]);
      if (covers(reached_[x][a], relation_.blocked(a), words)) return true;
    }
    return false;
  });
}

}  // namespace flitmend
