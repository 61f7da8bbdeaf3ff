// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/kns_tolerance/node_classes.h"

namespace flitmend {

/// Which classes of sources reach which classes of destinations over Hybrid-DOR, and which classes share a
/// router, for one combination of faulty links. Exact: the paths of a pair are blocked iff one of the
/// rectangles of NodeClasses contains both source and destination.
class ClassRelation {
 public:
  explicit ClassRelation(const KnsShape& shape)
      : faults_(shape), sources_(NodeClasses::Role::source), destinations_(NodeClasses::Role::destination) {}

  /// The links must be different. O(c²·f/64) words for c classes. Throws ConfigurationError if there are too
  /// many classes for the memory (2^30 pairs of classes).
  void build(std::span<const KnsLink> links);

  const FaultTable& faults() const { return faults_; }
  const NodeClasses& sources() const { return sources_; }
  const NodeClasses& destinations() const { return destinations_; }

  unsigned destination_words() const { return blocked_.words(); }
  unsigned source_words() const { return joint_.words(); }
  /// Destination classes that a source class does not reach, and those that it does.
  const Word* blocked(unsigned source) const { return blocked_[source]; }
  const Word* clean(unsigned source) const { return clean_[source]; }
  /// Source classes that have a router in common with a destination class.
  const Word* joint(unsigned destination) const { return joint_[destination]; }

  /// Extends the destination classes of `reached` by one segment: `further` (another row) receives them and
  /// everything reached from their routers. Stops early once `further` covers `enough`.
  void extend(const Word* reached, const Word* enough, Word* further);

 private:
  void build_blocked();
  void build_joint();

  FaultTable faults_;
  NodeClasses sources_;
  NodeClasses destinations_;
  BitRows held_;  // destination classes in a rectangle
  BitRows blocked_;
  BitRows clean_;
  BitRows joint_;
  BitRows digit_sources_;  // source classes with a router that has a given digit
  std::vector<unsigned> first_digit_;
  BitRows scratch_;
};

}  // namespace flitmend
