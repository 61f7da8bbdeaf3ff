// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/grid.h"

namespace flitmend {

/// An n-dimensional torus: each radix at least 2. Throws ConfigurationError.
class Torus : public Grid {
 public:
  explicit Torus(std::vector<std::uint32_t> radices) : Grid("torus", std::move(radices), kAllRings) {}

  std::string description() const override;
};

}  // namespace flitmend
