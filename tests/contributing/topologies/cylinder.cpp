// SPDX-License-Identifier: Apache-2.0
#include "topologies/cylinder.h"

#include "topologies/registry.h"

namespace flitmend {

TopologyEntry cylinder_topology() {
  return {
      .name = "cylinder",
      .description = "n-dimensional mesh whose first dimension is a ring",
      .size_keys = {"size"},
      .default_size = {.size = {8, 8}},
      .examples = {{.size = {4, 4}}, {.size = {5, 3}}, {.size = {2, 4}}, {.size = {3, 3, 2}}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        return std::make_unique<Cylinder>(s.radices());
      },
  };
}

}  // namespace flitmend
