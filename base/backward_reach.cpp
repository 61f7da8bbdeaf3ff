// SPDX-License-Identifier: Apache-2.0
#include "base/backward_reach.h"

namespace flitmend {

void BackwardReach::reset(std::size_t vertices) {
  vertices_ = vertices;
  edges_.clear();
  indexed_ = false;
  todo_.reserve(vertices);  // each vertex is in it at most once
}

void BackwardReach::index() {
  first_.assign(vertices_ + 1, 0);
  for (const Edge& e : edges_) ++first_[e.to];
  std::size_t end = 0;
  for (std::size_t& entry : first_) entry = end += entry;
  // Filled from the end of each range, so that each entry ends at the start of its range.
  before_.resize(edges_.size());
  for (const Edge& e : edges_) before_[--first_[e.to]] = e.from;
  indexed_ = true;
}

void BackwardReach::mark(std::vector<char>& marked) {
  if (!indexed_) index();
  todo_.clear();
  for (std::uint32_t v = 0; v < vertices_; ++v)
    if (marked[v]) todo_.push_back(v);
  while (!todo_.empty()) {
    const std::uint32_t v = todo_.back();
    todo_.pop_back();
    for (std::size_t i = first_[v]; i < first_[v + 1]; ++i)
      if (const std::uint32_t u = before_[i]; !marked[u]) {
        marked[u] = true;
        todo_.push_back(u);
      }
  }
}

}  // namespace flitmend
