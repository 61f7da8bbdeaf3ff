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

std::vector<bool> unsafe_nodes(const FaultSet& faults, UnsafeRule rule) {
  const Topology& t = faults.topology();
  std::vector<bool> unsafe(t.router_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (RouterId router = 0; router < t.router_count(); ++router) {
      if (unsafe[router] || faults.router_faulty(router)) continue;
      unsigned faulty = 0, either = 0;
      for (PortId port = 0; port < t.port_count(router); ++port)
        if (const auto far = t.neighbour(router, port)) {
          faulty += faults.router_faulty(far->router);
          either += faults.router_faulty(far->router) || unsafe[far->router];
        }
      if (rule == UnsafeRule::lee_hayes ? either < 2 : faulty < 2 && either < 3) continue;
      unsafe[router] = true;
      changed = true;
    }
  }
  return unsafe;
}

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
