// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/grid.h"

namespace flitmend {

/// An n-dimensional mesh: each radix at least 1, at least 2 nodes. Throws ConfigurationError.
class Mesh : public Grid {
 public:
  explicit Mesh(std::vector<std::uint32_t> radices) : Grid("mesh", std::move(radices), kNoRings) {}

  std::string description() const override;
};

}  // namespace flitmend
