// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/node_classes.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

void FaultTable::set(std::span<const KnsLink> links) {
  links_.assign(links.begin(), links.end());
  const unsigned n = shape_.n();
  ranks_.resize(std::size_t{size()} * n);
  mirrored_.resize(size());
  for (unsigned e = 0; e < size(); ++e) {
    std::uint32_t rest = links_[e].node;
    std::uint32_t mirrored = 0;
    for (unsigned i = 0; i < n; ++i, rest /= shape_.k()) {
      const std::uint32_t digit = rest % shape_.k();
      ranks_[std::size_t{e} * n + i] = digit;
      mirrored = mirrored * shape_.k() + digit;
    }
    mirrored_[e] = mirrored;
  }
  for (unsigned i = 0; i < n; ++i) {
    std::vector<std::uint32_t>& values = values_[i];
    values.clear();
    for (unsigned e = 0; e < size(); ++e) values.push_back(rank(e, i));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (unsigned e = 0; e < size(); ++e) {
      std::uint32_t& digit = ranks_[std::size_t{e} * n + i];
      digit =
          static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), digit) - values.begin());
    }
  }
}

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

namespace {

/// A bit matrix of this size takes 128 MiB, and a thread holds up to 13.
constexpr std::uint64_t kMaxClassPairs = std::uint64_t{1} << 30;

}  // namespace

void ClassRelation::build(std::span<const KnsLink> links) {
  faults_.set(links);
  sources_.build(faults_);
  destinations_.build(faults_);
  if (std::uint64_t{sources_.count()} * destinations_.count() > kMaxClassPairs)
    throw ConfigurationError(formatted("%1% faults in %2% need too much memory; use fewer faults",
                                       links.size(), faults_.shape().description()));
  build_blocked();
  build_joint();
}

void ClassRelation::build_blocked() {
  const unsigned rectangles = 2 * faults_.size();
  const unsigned rectangle_words = mask_words(rectangles);
  const unsigned destinations = destinations_.count();
  held_.reset(rectangles, destinations);
  for (unsigned b = 0; b < destinations; ++b)
    for_each_bit(destinations_.rectangles(b), rectangle_words, [&](unsigned r) { set_bit(held_[r], b); });

  blocked_.reset(sources_.count(), destinations);
  clean_.reset(sources_.count(), destinations);
  const unsigned words = blocked_.words();
  for (unsigned a = 0; a < sources_.count(); ++a) {
    Word* const blocked = blocked_[a];
    for_each_bit(sources_.rectangles(a), rectangle_words,
                 [&](unsigned r) { add_bits(blocked, held_[r], words); });
    for (unsigned w = 0; w < words; ++w) clean_[a][w] = ~blocked[w];
    if (destinations % kWordBits) clean_[a][words - 1] &= low_bits(destinations % kWordBits);
  }
}

/// Two classes share a router iff no dimension separates them.
void ClassRelation::build_joint() {
  using Kind = NodeClasses::Kind;
  const unsigned n = faults_.shape().n();
  const unsigned sources = sources_.count();
  first_digit_.assign(1, 0);
  for (unsigned i = 0; i < n; ++i) first_digit_.push_back(first_digit_[i] + faults_.named(i) + 1);
  digit_sources_.reset(first_digit_[n], sources);
  const unsigned words = digit_sources_.words();
  scratch_.reset(n + 1, sources);  // row i < n: classes that accept any digit of dimension i; row n: a union
  for (unsigned a = 0; a < sources; ++a)
    for (unsigned i = 0; i < n; ++i) {
      const NodeClasses::Constraint wanted = sources_.constraint(a, i);
      if (wanted.kind == Kind::exact) {
        set_bit(digit_sources_[first_digit_[i] + wanted.rank], a);
      } else if (wanted.kind == Kind::any) {
        set_bit(scratch_[i], a);
      } else {
        auto excluded = wanted.excluded.begin();
        for (unsigned rank = 0; rank <= faults_.named(i); ++rank)
          if (excluded != wanted.excluded.end() && *excluded == rank)
            ++excluded;
          else
            set_bit(digit_sources_[first_digit_[i] + rank], a);
      }
    }
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned rank = 0; rank < faults_.named(i); ++rank)
      add_bits(digit_sources_[first_digit_[i] + rank], scratch_[i], words);
    // Rank named(i) is the unnamed digits, if there are any.
    Word* const unnamed = digit_sources_[first_digit_[i] + faults_.named(i)];
    if (faults_.unnamed(i))
      add_bits(unnamed, scratch_[i], words);
    else
      std::fill_n(unnamed, words, Word{0});
  }

  joint_.reset(destinations_.count(), sources);
  Word* const either = scratch_[n];
  for (unsigned b = 0; b < destinations_.count(); ++b) {
    Word* const joint = joint_[b];
    std::fill_n(joint, words, ~Word{0});
    if (sources % kWordBits) joint[words - 1] = low_bits(sources % kWordBits);
    for (unsigned i = 0; i < n; ++i) {
      const NodeClasses::Constraint wanted = destinations_.constraint(b, i);
      if (wanted.kind == Kind::any) break;  // and the same holds for all higher dimensions
      const Word* allowed = digit_sources_[first_digit_[i] + wanted.rank];
      if (wanted.kind == Kind::none_of) {
        std::fill_n(either, words, Word{0});
        auto excluded = wanted.excluded.begin();
        for (unsigned rank = 0; rank <= faults_.named(i); ++rank)
          if (excluded != wanted.excluded.end() && *excluded == rank)
            ++excluded;
          else
            add_bits(either, digit_sources_[first_digit_[i] + rank], words);
        allowed = either;
      }
      for (unsigned w = 0; w < words; ++w) joint[w] &= allowed[w];
    }
  }
}

void ClassRelation::extend(const Word* reached, const Word* enough, Word* further) {
  const unsigned words = destination_words();
  Word* const from = scratch_[0];
  std::fill_n(from, source_words(), Word{0});
  for_each_bit(reached, words, [&](unsigned b) { add_bits(from, joint(b), source_words()); });
  std::copy_n(reached, words, further);
  for (unsigned w = 0; w < source_words(); ++w)
    for (Word rest = from[w]; rest; rest &= rest - 1) {
      add_bits(further, clean(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest))), words);
      if (covers(further, enough, words)) return;
    }
}

}  // namespace flitmend
