// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/grid.h"

namespace flitmend {

/// A hypercube of 1 to 20 dimensions. Throws ConfigurationError.
class Hypercube : public Grid {
 public:
  explicit Hypercube(std::uint32_t dimensions);
};

}  // namespace flitmend
