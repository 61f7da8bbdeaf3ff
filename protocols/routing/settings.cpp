// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/settings.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"

namespace flitmend {
namespace {
/// These algorithms leave no choice among candidates, on any network.
constexpr KeyEffect kChoosing = KeyEffect::unless("routing.algorithm", "dimension-order hybrid-dor");
}  // namespace

void RoutingSettings::visit(SettingsVisitor& v) {
  std::vector<Choice> selection_choices = {{"auto", "the usual one for the algorithm"}};
  for (const Choice& c : selections().choices()) selection_choices.push_back(c);
  v.begin_section("routing", "The routing algorithm, and how it chooses among candidates.");
  v.key({"algorithm", "",
         "Routing function: the ports and virtual channels that a head may take. If the default does not "
         "apply to the topology, the first that does is used.",
         kAlways},
        algorithm, routing_algorithms().choices());
  v.key({"selection", "", "Selection function: which of the free candidates a head requests.", kChoosing},
        selection, selection_choices);
  v.key({"request", "", "What a waiting head requests of the VC allocator in a cycle.", kChoosing}, request,
        {{"preferred", "the free virtual channels of one candidate, of the first preference that has any"},
         {"all", "those of all candidates of all preferences; the allocator chooses"}});
  for (const OptionKey* option : routing_options()) options.visit(*option, v);
  v.key({"head_wait_cycles", "cycles",
         "Cycles a head waits for a usable route, or for its escape channel if the algorithm relies on one, "
         "before its message is undeliverable.",
         (KeyEffect::only_if_given("faults") || KeyEffect::only_with("recovery.protocol", "fcr")) &&
             KeyEffect::unless("router.switching", "pipelined-circuit")},
        head_wait_cycles, {0, 65535});
  v.end_section();
}

}  // namespace flitmend
