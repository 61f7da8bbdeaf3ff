// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/safe_cube_routing.h"

#include <algorithm>

namespace flitmend {
namespace {

constexpr Choice kUnsafeRules[] = {
    {"lee-hayes", "two of its neighbours are faulty or unsafe"},
    {"wu-fernandez",
     "two of its neighbours are faulty, or three are faulty or unsafe: fewer nodes are unsafe"}};

}  // namespace

constexpr OptionKey kUnsafeOption{
    .key = {"unsafe", "", "When a healthy node of a hypercube is unsafe, and avoided as long as possible.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Word{.initial = "lee-hayes", .choices = kUnsafeRules}};

UnsafeRule unsafe_rule(const OptionValues& options) {
  return options.word(kUnsafeOption) == "lee-hayes" ? UnsafeRule::lee_hayes : UnsafeRule::wu_fernandez;
}

unsigned tolerated_by_safe_routing(const Topology& t) {
  return std::min(t.dimensions() - 1, 2u);
}

}  // namespace flitmend
