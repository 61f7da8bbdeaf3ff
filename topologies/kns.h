// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/switched_grid.h"

namespace flitmend {

/// KNS(k, n) [Penaranda12]: N = k^n routers; in each dimension, a subnetwork joins every k routers that
/// differ only in that dimension: one k-port switch (s = 1), or a fat tree or RUFT of s stages. k ≥ 2, n ≥ 1,
/// at most 2^20 nodes. Throws KeyError.
class Kns : public SwitchedGrid {
 public:
  Kns(std::uint32_t k, std::uint32_t n, SubnetworkKind kind = SubnetworkKind::one_switch,
      std::uint32_t arity = 0);

  std::uint32_t k() const { return radix(0); }
  std::uint32_t n() const { return dimensions(); }

  std::string description() const override;
};

}  // namespace flitmend
