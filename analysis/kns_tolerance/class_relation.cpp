// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/class_relation.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
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
