// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/classifier.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::uint8_t kNone = 255;
/// If fewer faults are on the minimal paths of a pair, the policies agree; likewise for fewer dimensions.
constexpr unsigned kFewestFaults = 3;
constexpr unsigned kFewestDimensions = 3;

unsigned count_bits(const Word* mask, unsigned words) {
  unsigned count = 0;
  for (unsigned w = 0; w < words; ++w) count += static_cast<unsigned>(std::popcount(mask[w]));
  return count;
}

}  // namespace

void MinimalFirstCorrection::apply(const ClassRelation& relation, const std::vector<BitRows>& reached,
                                   KnsOutcome& outcome) {
  const FaultTable& faults = relation.faults();
  const unsigned n = faults.shape().n();
  if (n < kFewestDimensions || faults.size() < kFewestFaults || reached.size() < 3) return;
  relation_ = &relation;
  reached_ = &reached;
  outcome_ = &outcome;

  first_digit_.assign(1, 0);
  for (unsigned i = 0; i < n; ++i) first_digit_.push_back(first_digit_[i] + faults.named(i) + 1);
  with_digit_.reset(first_digit_[n], faults.size());
  with_dimension_.reset(n, faults.size());
  for (unsigned e = 0; e < faults.size(); ++e) {
    for (unsigned i = 0; i < n; ++i) set_bit(with_digit_[first_digit_[i] + faults.rank(e, i)], e);
    set_bit(with_dimension_[faults.link(e).dimension], e);
  }
  first_.resize(n);
  second_.resize(n);
  ranks_.resize(n);
  inside_.reset(n + 1, faults.size());
  std::fill_n(inside_[0], inside_.words(), ~Word{0});
  if (faults.size() % kWordBits) inside_[0][inside_.words() - 1] = low_bits(faults.size() % kWordBits);
  dead_.assign(std::size_t{1} << n, 0);
  least_.resize(n << n);

  for (fault_a_ = 0; fault_a_ < faults.size(); ++fault_a_)
    for (fault_b_ = fault_a_ + 1; fault_b_ < faults.size(); ++fault_b_) choose_digits(0);
}

/// Visits the boxes on whose links both faults lie, and no fault with a lower number than theirs.
void MinimalFirstCorrection::choose_digits(unsigned dimension) {
  const FaultTable& faults = relation_->faults();
  if (dimension == faults.shape().n()) return visit_box();
  const unsigned words = inside_.words();
  const auto go_on = [&](std::uint32_t second) {
    second_[dimension] = second;
    const Word* const a = with_digit_[first_digit_[dimension] + first_[dimension]];
    const Word* const b = with_digit_[first_digit_[dimension] + second];
    const Word* const crossing = with_dimension_[dimension];
    for (unsigned w = 0; w < words; ++w) {
      // A dimension that is not crossed contributes no faults.
      const Word here = second == first_[dimension] ? a[w] & ~crossing[w] : a[w] | b[w];
      inside_[dimension + 1][w] = inside_[dimension][w] & here;
    }
    if (test_bit(inside_[dimension + 1], fault_a_) && test_bit(inside_[dimension + 1], fault_b_) &&
        count_bits(inside_[dimension + 1], words) >= kFewestFaults)
      choose_digits(dimension + 1);
  };
  first_[dimension] = faults.rank(fault_a_, dimension);
  if (const std::uint32_t other = faults.rank(fault_b_, dimension); other != first_[dimension])
    return go_on(other);
  const std::uint32_t last = faults.named(dimension) - (faults.unnamed(dimension) == 0);
  for (std::uint32_t second = 0; second <= last; ++second) go_on(second);
}

void MinimalFirstCorrection::visit_box() {
  const FaultTable& faults = relation_->faults();
  const unsigned n = faults.shape().n();
  const Word* const inside = inside_[n];
  unsigned differing = 0;
  std::uint64_t boxes = 1;  // an unnamed rank is many digits
  for (unsigned i = 0; i < n; ++i) {
    if (first_[i] == second_[i]) continue;
    differing |= 1u << i;
    if (second_[i] == faults.named(i)) boxes *= faults.unnamed(i);
  }
  if (static_cast<unsigned>(std::popcount(differing)) < kFewestDimensions) return;
  bool lowest = true;  // else another pair of faults finds the same box
  for_each_bit(inside, inside_.words(),
               [&](unsigned e) { lowest &= e >= fault_a_ && (e <= fault_a_ || e >= fault_b_); });
  if (!lowest) return;

  const auto corner_of = [&](unsigned e) {
    unsigned corner = 0;
    for (unsigned i = 0; i < n; ++i) corner |= unsigned{faults.rank(e, i) != first_[i]} << i;
    return corner;
  };
  for_each_bit(inside, inside_.words(),
               [&](unsigned e) { dead_[corner_of(e)] |= 1u << faults.link(e).dimension; });
  // The sources whose plain path is faulty: each fault lies on two plain paths, at either end of a crossing.
  sources_.clear();
  for_each_bit(inside, inside_.words(), [&](unsigned e) {
    const unsigned crossed = 1u << faults.link(e).dimension;
    const unsigned at = corner_of(e) ^ (differing & (crossed - 1));
    sources_.push_back(at);
    sources_.push_back(at ^ crossed);
  });
  std::sort(sources_.begin(), sources_.end());
  sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
  const unsigned limit = static_cast<unsigned>(reached_->size()) - 1;
  for (const unsigned source : sources_) {
    if (one_intermediate_will_do(source, differing)) continue;
    const unsigned minimal = intermediates_of_minimal_path(source, differing);
    if (minimal > limit) continue;
    const unsigned fewest = fewest_intermediates(source);
    outcome_->pairs[fewest] -= boxes;
    outcome_->pairs[minimal] += boxes;
  }
  for_each_bit(inside, inside_.words(), [&](unsigned e) { dead_[corner_of(e)] = 0; });
}

/// Whether the Hybrid-DOR path from a corner over these dimensions is fault-free.
bool MinimalFirstCorrection::clean(unsigned corner, unsigned crossing) const {
  for (; crossing; crossing &= crossing - 1) {
    const unsigned next = corner ^ (crossing & -crossing);
    if ((dead_[corner] | dead_[next]) & crossing & -crossing) return false;
    corner = next;
  }
  return true;
}

/// Whether a minimal path with at most one intermediate is fault-free; almost always one of the first tried
/// is.
bool MinimalFirstCorrection::one_intermediate_will_do(unsigned source, unsigned differing) const {
  for (unsigned first = differing;; first = (first - 1) & differing) {
    if (clean(source, first) && clean(source ^ first, differing ^ first)) return true;
    if (first == 0) return false;
  }
}

/// The fewest intermediates of a fault-free minimal path from a corner to the opposite one: the number of
/// descents in the order in which it crosses the dimensions. kNone if there is no such path.
unsigned MinimalFirstCorrection::intermediates_of_minimal_path(unsigned source, unsigned differing) const {
  const unsigned n = static_cast<unsigned>(first_.size());
  std::uint8_t best = kNone;
  for (unsigned crossed = 0;; crossed = (crossed - differing) & differing) {
    for (unsigned i = 0; i < n; ++i)
      if (crossed >> i & 1) {
        std::uint8_t& least = least_[crossed * n + i];
        const unsigned before = crossed & ~(1u << i);
        least = kNone;
        if ((dead_[source ^ before] | dead_[source ^ crossed]) >> i & 1) continue;
        if (before == 0) least = 0;
        for (unsigned last = 0; last < n; ++last)
          if ((before >> last & 1) && least_[before * n + last] != kNone)
            least = std::min(least, static_cast<std::uint8_t>(least_[before * n + last] + (last > i)));
        if (crossed == differing) best = std::min(best, least);
      }
    if (crossed == differing) return best;
  }
}

unsigned MinimalFirstCorrection::fewest_intermediates(unsigned source) {
  const auto corner = [&](unsigned bits) -> std::span<const std::uint32_t> {
    for (unsigned i = 0; i < first_.size(); ++i) ranks_[i] = bits >> i & 1 ? second_[i] : first_[i];
    return ranks_;
  };
  unsigned differing = 0;
  for (unsigned i = 0; i < first_.size(); ++i) differing |= unsigned{first_[i] != second_[i]} << i;
  const unsigned a = relation_->sources().class_of(corner(source));
  const unsigned b = relation_->destinations().class_of(corner(source ^ differing));
  unsigned x = 1;  // a minimal path exists, so one of the levels has the pair
  while (x + 1 < reached_->size() && !test_bit((*reached_)[x][a], b)) ++x;
  return x;
}

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

/// Ordered pairs that need more than `intermediates` intermediates.
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
