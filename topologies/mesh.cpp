// SPDX-License-Identifier: Apache-2.0
#include "topologies/mesh.h"

namespace flitmend {

Mesh::Mesh(std::vector<std::uint32_t> radix) : Grid(Kind::mesh, std::move(radix)) {}

}  // namespace flitmend
