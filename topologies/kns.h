// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/switched_grid.h"

namespace flitmend {

/// KNS(k, n) with one-switch subnetworks (s = 1) [Penaranda12]: N = k^n routers; in each dimension, groups of
/// k routers share a k-port switch. k ≥ 2, n ≥ 1, at most 2^20 nodes. Throws ConfigurationError.
class Kns : public SwitchedGrid {
 public:
  Kns(std::uint32_t k, std::uint32_t n);

  std::uint32_t k() const { return radix(0); }
  std::uint32_t n() const { return dimensions(); }

  std::string description() const override;
};

}  // namespace flitmend
