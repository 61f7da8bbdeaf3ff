// SPDX-License-Identifier: Apache-2.0
#include "topologies/torus.h"

#include "topologies/registry.h"

namespace flitmend {

std::string Torus::description() const {
  return dimensions() == 1 ? size_text() + "-node ring" : size_text() + " torus";
}

TopologyEntry torus_topology() {
  return {
      .name = "torus",
      .description = "n-dimensional torus (a k-ary n-cube if all radices are equal)",
      .size_keys = {"size"},
      .default_size = {.size = {8, 8}},
      .examples = {{.size = {2}},
                   {.size = {3}},
                   {.size = {8}},
                   {.size = {4, 4}},
                   {.size = {5, 5}},
                   {.size = {6, 6}},
                   {.size = {2, 4}},
                   {.size = {3, 4, 5}},
                   {.size = {2, 2, 2, 3}}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        return std::make_unique<Torus>(s.radices());
      },
  };
}

}  // namespace flitmend
