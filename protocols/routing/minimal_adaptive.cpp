// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/registry.h"
#include "protocols/routing/tfar.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

RoutingEntry minimal_adaptive_routing() {
  return {
      .name = "minimal-adaptive",
      .description =
          "fully adaptive minimal, hypercube: any productive port, drawn at random; it can deadlock",
      .reference = "[SBRP section 6.2.3]",
      .structure = is_hypercube,
      .default_selection = "random",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full, .proof = DeadlockProof::none};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<Tfar>(t, spread_evenly(vcs, 1)); },
  };
}

}  // namespace flitmend
