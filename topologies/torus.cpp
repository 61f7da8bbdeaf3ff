// SPDX-License-Identifier: Apache-2.0
#include "topologies/torus.h"

namespace flitmend {

Torus::Torus(std::vector<std::uint32_t> radix) : Grid(Kind::torus, std::move(radix)) {}

}  // namespace flitmend
