// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/grid.h"

namespace flitmend {

/// A mesh whose first dimension is a ring. Radix at least 2 in the ring. Throws ConfigurationError.
class Cylinder : public Grid {
 public:
  explicit Cylinder(std::vector<std::uint32_t> radices) : Grid("cylinder", std::move(radices), 0b1) {}

  std::string description() const override { return size_text() + " cylinder"; }
};

}  // namespace flitmend
