// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// The faulty links of one combination with the digits of their routers. In each dimension only the digits
/// that occur are numbered, so no size depends on k or N.
class FaultTable {
 public:
  explicit FaultTable(const KnsShape& shape) : shape_(shape), values_(shape.n()) {}

  /// The links must be different. O(f·n + n·f·log f).
  void set(std::span<const KnsLink> links);

  const KnsShape& shape() const { return shape_; }
  unsigned size() const { return static_cast<unsigned>(links_.size()); }
  const KnsLink& link(unsigned fault) const { return links_[fault]; }
  /// The router's number with its digits in reverse order: sorts routers by their lowest digit first.
  std::uint32_t mirrored(unsigned fault) const { return mirrored_[fault]; }
  /// The rank of a fault's router among the named digits of a dimension.
  std::uint32_t rank(unsigned fault, unsigned dimension) const {
    return ranks_[std::size_t{fault} * shape_.n() + dimension];
  }
  /// How many digits of a dimension occur ("named"). All others are "unnamed" and share the rank
  /// named(dimension).
  std::uint32_t named(unsigned dimension) const {
    return static_cast<std::uint32_t>(values_[dimension].size());
  }
  /// How many digits of a dimension are unnamed.
  std::uint32_t unnamed(unsigned dimension) const { return shape_.k() - named(dimension); }

 private:
  KnsShape shape_;
  std::vector<KnsLink> links_;
  std::vector<std::uint32_t> mirrored_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::vector<std::uint32_t>> values_;  // of each dimension, ascending
};

/// Rows of bits of equal width; reuse keeps their memory.
class BitRows {
 public:
  /// `rows` rows of `bits` bits, all 0.
  void reset(unsigned rows, unsigned bits) {
    words_ = mask_words(bits);
    bits_.assign(std::size_t{rows} * words_, 0);
  }
  /// Appends a copy of `row`, words() words.
  void append(const Word* row) { bits_.insert(bits_.end(), row, row + words_); }

  unsigned words() const { return words_; }
  Word* operator[](unsigned row) { return bits_.data() + std::size_t{row} * words_; }
  const Word* operator[](unsigned row) const { return bits_.data() + std::size_t{row} * words_; }

 private:
  unsigned words_ = 0;
  std::vector<Word> bits_;
};

inline void add_bits(Word* to, const Word* more, unsigned words) {
  for (unsigned w = 0; w < words; ++w) to[w] |= more[w];
}
/// Whether every bit of `some` is in `all`.
inline bool covers(const Word* all, const Word* some, unsigned words) {
  for (unsigned w = 0; w < words; ++w)
    if (some[w] & ~all[w]) return false;
  return true;
}
inline bool any_bit(const Word* mask, unsigned words) {
  for (unsigned w = 0; w < words; ++w)
    if (mask[w]) return true;
  return false;
}

/// Classes of routers that the faults affect alike, as sources or as destinations.
///
/// A faulty link e = (v, i) blocks the Hybrid-DOR paths of two rectangles of pairs:
///   up,   2e:     s_j = v_j for j ≥ i                 to   d_j = v_j for j < i, d_i ≠ v_i
///   down, 2e + 1: s_j = v_j for j > i, s_i ≠ v_i      to   d_j = v_j for j ≤ i
/// (other digits are arbitrary). Two sources are in one class if the same rectangles contain them; likewise
/// for destinations. The classes are the leaves of a tree over the digits, highest first for sources, lowest
/// first for destinations, so there are at most 2·f·n + 1 classes for any N.
class NodeClasses {
 public:
  enum class Role { source, destination };

  explicit NodeClasses(Role role) : role_(role) {}

  /// O(f·n) plus the rectangles of the classes found.
  void build(const FaultTable& faults);

  unsigned count() const { return static_cast<unsigned>(classes_.size()); }
  /// Number of routers in a class.
  std::uint64_t weight(unsigned c) const { return classes_[c].weight; }
  /// The rectangles that contain the class, 2f bits.
  const Word* rectangles(unsigned c) const { return rectangles_[c]; }

  /// The class of the router with these digits, as ranks of the fault table. O(classes).
  unsigned class_of(std::span<const std::uint32_t> ranks) const;

  /// What a class requires in a dimension: any digit, one rank, or none of a list.
  enum class Kind { any, exact, none_of };
  struct Constraint {
    Kind kind;
    std::uint32_t rank;                       // if exact
    std::span<const std::uint32_t> excluded;  // if none_of, ascending
  };
  Constraint constraint(unsigned c, unsigned dimension) const;

 private:
  struct Class {
    std::uint64_t weight;
    std::uint32_t first_rank;  // index of its path in ranks_
    std::uint32_t depth;       // digits that are fixed
    bool open;                 // the last digit only as none_of
    std::uint32_t first_excluded;
    std::uint32_t excluded;
  };

  unsigned dimension_at(unsigned level) const {
    return role_ == Role::source ? dimensions_ - 1 - level : level;
  }
  unsigned equal_bit(unsigned fault) const { return 2 * fault + (role_ == Role::destination); }
  unsigned other_bit(unsigned fault) const { return 2 * fault + (role_ == Role::source); }
  void split(const FaultTable&, unsigned level);
  void add_class(const Word* rectangles, std::uint64_t weight, unsigned depth);

  Role role_;
  unsigned dimensions_ = 0;
  std::vector<Class> classes_;
  BitRows rectangles_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> excluded_;

  // State of the tree walk, per level: the faults that can still match, the rectangles so far, and the
  // rectangles of a router that shares no digit with a fault of this level; the digits so far.
  std::vector<std::vector<unsigned>> active_;
  BitRows so_far_;
  BitRows outside_;
  std::vector<std::uint32_t> path_;
  std::vector<std::uint64_t> order_;
};

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
