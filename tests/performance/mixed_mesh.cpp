// SPDX-License-Identifier: Apache-2.0
// mixed_mesh FOREIGN CYCLES: simulates an 8x8 mesh at load 0.2 with FOREIGN (0, 1 or 2) routers of
// examples/own_router, at places that see the same traffic. For foreign_router_cost_test.py.
#include <cstdlib>
#include <iostream>
#include <limits>

#include "examples/own_router/simple_router.h"
#include "support/fabric_bench.h"
#include "support/steady_traffic.h"

int sc_main(int argc, char** argv) {
  using namespace flitmend;
  if (argc != 3) return 2;
  std::vector<std::vector<std::int64_t>> places{{2, 2}, {5, 5}};
  places.resize(std::strtoul(argv[1], nullptr, 10));
  FabricBench bench(
      mesh_network({8, 8}), preset("iq"), {}, "fabric", 1, nullptr, TransactionParameters::one_way(4096), 1,
      routers_at(places, [](RouterBoundary& place) { return std::make_unique<SimpleRouter>("own", place); }));
  SteadyTraffic traffic(bench.fabric, .2, std::numeric_limits<std::uint64_t>::max());
  bench.run(std::strtoull(argv[2], nullptr, 10));
  std::cout << bench.deliveries.size() << '\n';
  return bench.deliveries.empty() ? 1 : 0;
}
