// SPDX-License-Identifier: Apache-2.0
#include "topologies/place_name.h"

#include <string_view>

namespace flitmend {

std::string place_name(const Topology& topology, RouterId router) {
  const std::string name = topology.router_name(router);
  constexpr std::string_view kRouter = "router_";
  if (topology.is_switch(router) || !name.starts_with(kRouter)) return name;
  std::string place, of_coordinates;
  for (const std::uint32_t x : topology.coordinates(router)) {
    place += (place.empty() ? "" : ",") + std::to_string(x);
    of_coordinates += (of_coordinates.empty() ? "" : "_") + std::to_string(x);
  }
  const std::string id = name.substr(kRouter.size());
  return id == of_coordinates ? place : id;
}

}  // namespace flitmend
