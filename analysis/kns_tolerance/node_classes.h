// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/kns_tolerance/fault_table.h"
#include "base/bits.h"

namespace flitmend {

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

}  // namespace flitmend
