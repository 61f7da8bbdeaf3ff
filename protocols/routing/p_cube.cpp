// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/negative_first.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

RoutingEntry p_cube_routing() {
  return {
      .name = "p-cube",
      .description =
          "partially adaptive, hypercube: hops that set a bit of the node's number first, then the "
          "others",
      .reference = "[Glass92]",
      .structure = is_hypercube,
      .dimensions = {.min = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .forbids_turn = [](const LinkDirection& from, const LinkDirection& to) {
                  return from.sign < 0 && to.sign > 0;
                }};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<NegativeFirst>(t, spread_evenly(vcs, 1), true);
      },
  };
}

}  // namespace flitmend
