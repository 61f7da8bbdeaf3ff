// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/registry.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/first.h"
#include "protocols/routing/selection/least_loaded.h"
#include "protocols/routing/selection/random.h"
#include "protocols/routing/selection/round_robin.h"
#include "protocols/routing/selection/straight.h"

namespace flitmend {
namespace {

template <class Selection>
std::unique_ptr<SelectionFunction> plain(const Topology&) {
  return std::make_unique<Selection>();
}
template <class Selection>
std::unique_ptr<SelectionFunction> of_topology(const Topology& t) {
  return std::make_unique<Selection>(t);
}

}  // namespace

const Registry<SelectionEntry>& selections() {
  static const Registry<SelectionEntry> registry(
      "selection function",
      {{"first", "the first free candidate in the order of the routing function", plain<FirstFree>},
       {"random", "a free candidate at random", plain<RandomFree>},
       {"round-robin", "round robin over the free ports, one pointer per router", of_topology<RoundRobin>},
       {"straight", "the port opposite the one on which the head arrived, else the first free candidate",
        of_topology<Straight>},
       {"most-free-vcs", "the port with the most free virtual channels, ties in round-robin order",
        of_topology<MostFreeVcs>},
       {"most-credits", "the port with the most credits, ties in round-robin order",
        of_topology<MostCredits>}});
  return registry;
}

std::unique_ptr<SelectionFunction> make_selection(const Topology& topology, const RoutingSettings& settings) {
  const std::string_view name = settings.selection == "auto"
                                    ? routing_algorithms().at(settings.algorithm).default_selection
                                    : std::string_view(settings.selection);
  return selections().at(name).make(topology);
}

}  // namespace flitmend
