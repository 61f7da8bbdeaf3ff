// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/node_classes.h"

#include <algorithm>

namespace flitmend {

void NodeClasses::build(const FaultTable& faults) {
  dimensions_ = faults.shape().n();
  const unsigned bits = 2 * faults.size();
  classes_.clear();
  ranks_.clear();
  excluded_.clear();
  path_.assign(dimensions_, 0);
  rectangles_.reset(0, bits);
  so_far_.reset(dimensions_ + 1, bits);
  outside_.reset(dimensions_ + 1, bits);
  active_.resize(dimensions_ + 1);

  // In this order, faults that share their first digits are adjacent on every level.
  order_.clear();
  for (unsigned e = 0; e < faults.size(); ++e) {
    const std::uint64_t key = role_ == Role::source ? faults.link(e).node : faults.mirrored(e);
    order_.push_back(key << 32 | e);
  }
  std::sort(order_.begin(), order_.end());
  active_[0].clear();
  for (const std::uint64_t entry : order_) active_[0].push_back(static_cast<unsigned>(entry & 0xffffffffu));
  split(faults, 0);
}

/// The routers whose digits above `level` are path_. active_[level] are the undecided faults that agree with
/// these digits, so_far_[level] the rectangles already entered.
void NodeClasses::split(const FaultTable& faults, unsigned level) {
  const std::vector<unsigned>& active = active_[level];
  const KnsShape& shape = faults.shape();
  if (active.empty()) {
    const std::uint64_t weight = level == 0 ? shape.node_count() : shape.power(dimensions_ - level);
    add_class(so_far_[level], weight, level);
    return;
  }
  const unsigned dimension = dimension_at(level);
  const unsigned words = so_far_.words();
  std::copy_n(so_far_[level], words, outside_[level]);
  std::uint32_t values = 0;
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (faults.link(active[i]).dimension == dimension) set_bit(outside_[level], other_bit(active[i]));
    values += i == 0 || faults.rank(active[i], dimension) != faults.rank(active[i - 1], dimension);
  }
  if (values < shape.k()) {
    const std::uint64_t weight = std::uint64_t{shape.k() - values} * shape.power(dimensions_ - 1 - level);
    add_class(outside_[level], weight, level + 1);
    Class& open = classes_.back();
    open.open = true;
    open.first_excluded = static_cast<std::uint32_t>(excluded_.size());
    open.excluded = values;
    for (std::size_t i = 0; i < active.size(); ++i)
      if (i == 0 || faults.rank(active[i], dimension) != faults.rank(active[i - 1], dimension))
        excluded_.push_back(faults.rank(active[i], dimension));
  }
  for (std::size_t from = 0, to = 0; from < active.size(); from = to) {
    path_[level] = faults.rank(active[from], dimension);
    std::copy_n(outside_[level], words, so_far_[level + 1]);
    active_[level + 1].clear();
    for (to = from; to < active.size() && faults.rank(active[to], dimension) == path_[level]; ++to) {
      const unsigned e = active[to];
      if (faults.link(e).dimension == dimension) {
        clear_bit(so_far_[level + 1], other_bit(e));
        set_bit(so_far_[level + 1], equal_bit(e));
      } else {
        active_[level + 1].push_back(e);
      }
    }
    split(faults, level + 1);
  }
}

void NodeClasses::add_class(const Word* rectangles, std::uint64_t weight, unsigned depth) {
  classes_.push_back({weight, static_cast<std::uint32_t>(ranks_.size()), depth, false, 0, 0});
  ranks_.insert(ranks_.end(), path_.begin(), path_.begin() + depth);
  rectangles_.append(rectangles);
}

NodeClasses::Constraint NodeClasses::constraint(unsigned c, unsigned dimension) const {
  const Class& here = classes_[c];
  const unsigned level = dimension_at(dimension);  // the mapping is its own inverse
  if (level >= here.depth) return {Kind::any, 0, {}};
  if (here.open && level + 1 == here.depth)
    return {Kind::none_of, 0, {excluded_.data() + here.first_excluded, here.excluded}};
  return {Kind::exact, ranks_[here.first_rank + level], {}};
}

unsigned NodeClasses::class_of(std::span<const std::uint32_t> ranks) const {
  const auto fits = [&](unsigned c) {
    for (unsigned level = 0; level < classes_[c].depth; ++level) {
      const unsigned dimension = dimension_at(level);
      const Constraint wanted = constraint(c, dimension);
      if (wanted.kind == Kind::exact && ranks[dimension] != wanted.rank) return false;
      if (wanted.kind == Kind::none_of &&
          std::binary_search(wanted.excluded.begin(), wanted.excluded.end(), ranks[dimension]))
        return false;
    }
    return true;
  };
  unsigned c = 0;
  while (!fits(c)) ++c;  // the classes cover all routers
  return c;
}

}  // namespace flitmend
