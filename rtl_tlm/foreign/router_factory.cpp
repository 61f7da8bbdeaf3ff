// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/foreign/router_factory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

RouterFactory routers_at(std::vector<std::vector<std::int64_t>> coordinates, RouterFactory make) {
  return [coordinates = std::move(coordinates),
          make = std::move(make)](RouterBoundary& place) -> std::unique_ptr<ForeignRouter> {
    const Topology& topology = place.context().topology;
    std::vector<NodeId> nodes;
    for (const auto& at : coordinates) {
      const auto node = topology.node_at(at);
      if (!node)
        throw ConfigurationError("a router of your own is to be at (" + joined(at, ",") +
                                 "), which is not in the " + topology.description() +
                                 "; give coordinates inside it");
      nodes.push_back(*node);
    }
    return std::find(nodes.begin(), nodes.end(), place.id()) == nodes.end() ? nullptr : make(place);
  };
}

}  // namespace flitmend
