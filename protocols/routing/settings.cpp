// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/settings.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"

namespace flitmend {

void RoutingSettings::visit(SettingsVisitor& v) {
  std::vector<Choice> selection_choices = {{"auto", "the usual one for the algorithm"}};
  for (const Choice& c : selections().choices()) selection_choices.push_back(c);
  v.begin_section("routing", "The routing algorithm, and how it chooses among candidates.");
  v.key({"algorithm", "",
         "Routing function: the ports and virtual channels that a head may take. If the default does not "
         "apply "
         "to the topology, the first that does is used."},
        algorithm, routing_algorithms().choices());
  v.key({"selection", "", "Selection function: which of the free candidates a head requests."}, selection,
        selection_choices);
  v.key({"dateline", "",
         "Dimension order on a torus: the virtual-channel class of messages that never cross the dateline."},
        dateline,
        {{"balanced", "either class, drawn at the source, so that both carry similar loads"},
         {"strict", "class 1, as after the dateline"},
         {"halves",
          "any virtual channel; messages that cross use the low half before the dateline, the high half "
          "after it"},
         {"none",
          "no classes: every message takes any virtual channel; a ring of 4 or more nodes can then "
          "deadlock"}});
  v.key({"ties", "",
         "On a ring of even radix k, the way of a message whose destination is k/2 away: both are shortest."},
        ties,
        {{"random", "drawn at the source, per message and dimension"},
         {"plus", "the + direction, whose channels then carry more"}});
  v.key({"misroutes", "hops",
         "Hops away from its destination that a message may make, each at a router whose faults leave no "
         "productive port. Needs routing.escape: terminal."},
        misroutes, {0, 3});
  v.key({"escape", "", "Whether a message on an escape channel may use adaptive channels again."}, escape,
        {{"returning", "it may"}, {"terminal", "it stays on escape channels"}});
  v.key({"head_wait_cycles", "cycles",
         "How long a head waits at a fault that leaves it no way, or no escape channel where the algorithm "
         "needs one; then its message is undeliverable."},
        head_wait_cycles, {0, 65535});
  v.end_section();
}

}  // namespace flitmend
