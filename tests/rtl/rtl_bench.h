// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "examples/rtl/rtl_router.h"
#include "support/fabric_bench.h"
#include "support/steady_traffic.h"
#include "traces/waves/channel_comparer.h"

namespace flitmend {

using Coordinates = std::vector<std::vector<std::int64_t>>;

inline Coordinates one_router() {
  return {{3, 4}};
}
inline Coordinates one_row() {
  Coordinates row;
  for (std::int64_t x = 0; x < 8; ++x) row.push_back({x, 3});
  return row;
}
inline Coordinates all_routers() {
  Coordinates all;
  for (std::int64_t y = 0; y < 8; ++y)
    for (std::int64_t x = 0; x < 8; ++x) all.push_back({x, y});
  return all;
}

/// An 8x8 mesh of preset rtl-example with routers from that factory.
class RtlBench : public FabricBench {
 public:
  explicit RtlBench(const char* name, const RouterFactory& foreign = {},
                    const RecoveryProtocol* recovery = nullptr)
      : FabricBench(mesh_network({8, 8}), preset("rtl-example"), dimension_order(), name, 1, recovery,
                    TransactionParameters::one_way(4096), 1, foreign) {}

  static RoutingSettings dimension_order() {
    RoutingSettings s;
    s.algorithm = "dimension-order";
    return s;
  }
};

}  // namespace flitmend
