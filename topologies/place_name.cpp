// SPDX-License-Identifier: Apache-2.0
#include "topologies/place_name.h"

#include <string_view>
#include <vector>

#include "base/text.h"

namespace flitmend {

std::string place_name(const Topology& topology, RouterId router) {
  const std::string name = topology.router_name(router);
  constexpr std::string_view kRouter = "router_";
  if (topology.is_switch(router) || !name.starts_with(kRouter)) return name;
  const std::vector<std::uint32_t> coordinates = topology.coordinates(router);
  const std::string id = name.substr(kRouter.size());
  return id == joined(coordinates, "_") ? joined(coordinates, ",") : id;
}

}  // namespace flitmend
