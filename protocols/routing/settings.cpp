// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/settings.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"

namespace flitmend {

void RoutingSettings::visit(SettingsVisitor& v) {
  std::vector<Choice> selection_choices = {{"auto", "the one usual with the algorithm"}};
  for (const Choice& c : selections().choices()) selection_choices.push_back(c);
  v.begin_section("routing", "The routing algorithm and how it chooses among its candidates.");
  v.key({"algorithm", "",
         "Routing function: the ports and virtual channels that a head may take. Where the default does not "
         "apply "
         "to the topology, the first that does."},
        algorithm, routing_algorithms().choices());
  v.key({"selection", "", "Selection function: which of the free candidates a head asks for."}, selection,
        selection_choices);
  v.key({"dateline", "", "Dimension order on a torus: the class of messages that never cross the dateline."},
        dateline,
        {{"strict", "class 1, as behind the dateline"},
         {"balanced", "either class, drawn at the source, so that both carry like loads"},
         {"halves",
          "any virtual channel; those that cross keep to the low half of them before and to the high half "
          "behind"}});
  v.end_section();
}

}  // namespace flitmend
