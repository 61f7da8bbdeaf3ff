#pragma once
#include "topologies/grid.h"

namespace flitmend {

/// An n-dimensional torus; radix at least 1 a dimension, but 2 on a torus, at least 2 nodes. Throws
/// ConfigurationError.
class Torus : public Grid {
 public:
  explicit Torus(std::vector<std::uint32_t> radix);
};

}  // namespace flitmend
