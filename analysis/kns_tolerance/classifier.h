// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/kns_tolerance/class_relation.h"
#include "analysis/kns_tolerance/minimal_first.h"
#include "analysis/kns_tolerance/outcome.h"
#include "protocols/routing/intermediate_nodes/chooser.h"

namespace flitmend {

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
