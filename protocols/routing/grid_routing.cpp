// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"

namespace flitmend {

namespace {

constexpr Choice kTies[] = {{"random", "drawn at the source, per message and dimension"},
                            {"plus", "the + direction, whose channels then carry more"}};

}  // namespace

constexpr OptionKey kTiesOption{
    .key = {"ties", "",
            "On a ring of even radix k, the direction of a message whose destination is k/2 away, where "
            "both are shortest.",
            kAlways},
    .values = OptionKey::Word{.initial = "random", .choices = kTies}};

RingTies ring_ties(const OptionValues& options) {
  return options.word(kTiesOption) == "random" ? RingTies::random : RingTies::plus;
}

bool is_grid_without_rings(const Topology& topology) {
  return is_grid(topology) && !has_rings(topology);
}

std::vector<std::uint64_t> subsets_of(std::uint64_t bits) {
  std::vector<std::uint64_t> all;
  std::uint64_t subset = 0;
  do {
    all.push_back(subset);
    subset = (subset - bits) & bits;  // the next one: carries run over the bits that are not ours
  } while (subset != 0);
  return all;
}

}  // namespace flitmend
