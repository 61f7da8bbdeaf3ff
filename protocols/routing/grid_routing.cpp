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

constexpr OptionKey kMisroutesOption{
    .key =
        {"misroutes", "hops",
         "Hops away from its destination that a message may make. duato: each at a router whose faults "
         "leave no productive port; needs routing.escape: terminal. tfar: where it gets no productive port.",
         KeyEffect::only_if_given("faults") || KeyEffect::only_with("routing.algorithm", "tfar")},
    .values = OptionKey::Number{.initial = 0, .range = {0, 3}}};

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
