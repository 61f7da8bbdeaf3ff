// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/kns_tolerance/node_classes.h"
#include "protocols/routing/intermediate_nodes/chain.h"
#include "protocols/routing/intermediate_nodes/chooser.h"

namespace flitmend {

/// The effect of one combination of faulty links on a KNS network; x is the number of intermediates allowed.
struct KnsOutcome {
  static constexpr unsigned kMaxIntermediates = IntermediateList::kMaxIntermediates;
  static constexpr unsigned kNever = kMaxIntermediates + 1;

  bool connected = true;  ///< every router reaches every other over some path
  unsigned tolerated =
      0;  ///< the fewest intermediates with which every ordered pair is routable; else kNever
  /// Ordered pairs of different nodes by the number of intermediates that they use under the policy, and
  /// those that x does not connect. They add up to N(N − 1).
  std::array<std::uint64_t, kMaxIntermediates + 1> pairs{};
  std::uint64_t unreachable = 0;
};

/// Turns the counts of policy fewest into those of policy minimal-first.
///
/// The policies differ only in pairs that have a minimal path with c ≥ 2 intermediates, no minimal path with
/// fewer, and a longer path with fewer than c. If a pair's minimal paths meet only one or two faults, then c
/// ≤ 1, because two of its minimal paths with at most one intermediate and its plain path share no link. So
/// only pairs with three or more faults on the links of their minimal paths are visited. They are found from
/// pairs of faults: one box for each way to complete the digits that two faults have in common; few boxes
/// remain. In a box, two sources per fault are examined, in O(n) each if a path with one intermediate is
/// found at once, else O(2^n·n²). In one or two dimensions there is nothing to do.
class MinimalFirstCorrection {
 public:
  /// `reached[x]`: destination classes that source classes reach with x intermediates, complete or covering
  /// all blocked ones; the last x is the limit.
  void apply(const ClassRelation& relation, const std::vector<BitRows>& reached, KnsOutcome& outcome);

 private:
  void choose_digits(unsigned dimension);
  void visit_box();
  bool clean(unsigned corner, unsigned crossing) const;
  bool one_intermediate_will_do(unsigned source_corner, unsigned differing) const;
  unsigned intermediates_of_minimal_path(unsigned source_corner, unsigned differing) const;
  unsigned fewest_intermediates(unsigned source_corner);

  const ClassRelation* relation_ = nullptr;
  const std::vector<BitRows>* reached_ = nullptr;
  KnsOutcome* outcome_ = nullptr;

  // Faults by digit and by dimension, as masks.
  BitRows with_digit_;
  std::vector<unsigned> first_digit_;
  BitRows with_dimension_;

  // The box of the minimal paths of a pair: in each dimension two digits (as ranks), or the same digit twice.
  // A corner is a bit mask: digit second_ if the bit is set.
  unsigned fault_a_ = 0;
  unsigned fault_b_ = 0;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> second_;
  BitRows inside_;                           // [i]: faults that match the digits below dimension i
  std::vector<std::uint32_t> dead_;          // [corner]: dimensions whose link is faulty there
  mutable std::vector<std::uint8_t> least_;  // [crossed dimensions · n + last]: intermediates so far
  std::vector<unsigned> sources_;            // corners whose plain path is faulty
  std::vector<std::uint32_t> ranks_;
};

/// Classifies combinations of faulty links. It keeps its memory between combinations; use one per thread.
///
/// It works on classes of routers (NodeClasses), of which there are at most 2·f·n + 1, so it never visits
/// pairs that no fault affects, nor single pairs among those that faults affect alike. With c classes: O(c²)
/// words of work for the relation, O(c) per class and further intermediate.
class KnsClassifier {
 public:
  /// max_intermediates ≤ KnsOutcome::kMaxIntermediates; for policy minimal-first n ≤ 12. Throws
  /// ConfigurationError.
  KnsClassifier(const KnsShape& shape, unsigned max_intermediates, IntermediatePolicy policy);

  /// Everything about one combination. The links must be different, at most kMaxKnsFaults (limits.h).
  const KnsOutcome& classify(std::span<const KnsLink> dead_links);
  /// Only whether every ordered pair is routable with max_intermediates.
  bool tolerates(std::span<const KnsLink> dead_links);

 private:
  void start(std::span<const KnsLink> dead_links);
  void advance(unsigned intermediates);
  bool isolates_a_router(std::span<const KnsLink> dead_links);
  std::uint64_t open_pairs(unsigned intermediates) const;
  bool connected();

  KnsShape shape_;
  unsigned max_intermediates_;
  IntermediatePolicy policy_;
  ClassRelation relation_;
  std::vector<BitRows> reached_;  // [x][source class]: destination classes reached with x intermediates
  std::vector<unsigned> open_;    // source classes that do not yet reach every destination
  std::vector<std::uint32_t> nodes_;
  KnsOutcome outcome_;
  MinimalFirstCorrection correction_;
};

}  // namespace flitmend
