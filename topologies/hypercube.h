// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/grid.h"

namespace flitmend {

/// A hypercube of 1 to 20 dimensions. Throws ConfigurationError.
class Hypercube : public Grid {
 public:
  explicit Hypercube(std::uint32_t dimensions);

  std::string description() const override;
  /// A node's number is a row and a column: the halves of its bits change places, a middle bit stays.
  std::vector<unsigned> transposition() const override;
};

}  // namespace flitmend
