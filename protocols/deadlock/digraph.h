// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "base/bits.h"
#include "base/survey_progress.h"

namespace flitmend {

/// A directed graph as successor lists, each ascending and without duplicates.
using Digraph = std::vector<std::vector<std::uint32_t>>;

std::size_t edge_count(const Digraph&);

/// Collects edges; duplicates cost no memory.
class DigraphBuilder {
 public:
  explicit DigraphBuilder(std::size_t vertices) : successors_(vertices) {}
  void add(std::uint32_t from, std::uint32_t to);
  Digraph take();

 private:
  Digraph successors_;
};

/// A relation over 0 … size − 1 as a bit matrix, for graphs with many edges.
class BitRelation {
 public:
  explicit BitRelation(std::size_t size)
      : size_(size), words_(mask_words(static_cast<unsigned>(size))), bits_(size * words_) {}
  Word* row(std::size_t i) { return bits_.data() + i * words_; }
  const Word* row(std::size_t i) const { return bits_.data() + i * words_; }
  unsigned words() const { return words_; }
  std::size_t size() const { return size_; }
  std::size_t count() const;

 private:
  std::size_t size_;
  unsigned words_;
  std::vector<Word> bits_;
};

/// The component number of every vertex, components in reverse topological order [Tarjan72]; O(V + E).
std::vector<std::uint32_t> strong_components(const Digraph&);

/// The vertices of a shortest cycle in order; empty if there is none. Among the shortest, the one with the
/// lowest vertex, starting there. O(V + E) without a cycle. Reports vertices to the listener.
std::vector<std::uint32_t> shortest_cycle(const Digraph&, SurveyListener* = nullptr);

/// Every vertex after all its successors; empty if there is a cycle. This is the order of a proof of deadlock
/// freedom.
std::vector<std::uint32_t> order_after_successors(const Digraph&);

}  // namespace flitmend
