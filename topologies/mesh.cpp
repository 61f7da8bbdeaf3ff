// SPDX-License-Identifier: Apache-2.0
#include "topologies/mesh.h"

#include "topologies/registry.h"

namespace flitmend {

std::string Mesh::description() const {
  return dimensions() == 1 ? size_text() + "-node linear array" : size_text() + " mesh";
}

TopologyEntry mesh_topology() {
  return {
      .name = "mesh",
      .description = "n-dimensional mesh with a radix per dimension",
      .size_keys = {"size"},
      .default_size = {.size = {8, 8}},
      .examples = {{.size = {2}},
                   {.size = {5}},
                   {.size = {4, 4}},
                   {.size = {5, 3}},
                   {.size = {1, 4}},
                   {.size = {3, 3, 4}},
                   {.size = {2, 2, 2, 3}}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        return std::make_unique<Mesh>(s.radices());
      },
  };
}

}  // namespace flitmend
