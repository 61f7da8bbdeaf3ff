// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/all_pairs.h"

#include "analysis/probability_vectors/route.h"

namespace flitmend {

PvAllPairs route_all_pairs(const ProbabilityVectorTable& table, std::size_t fault_count) {
  const KaryCube& cube = table.cube();
  PvRouter router(table, {}, fault_count);
  PvAllPairs found{.delivered = Detours(cube.diameter())};
  for (KaryCube::Node source = 0; source < cube.node_count(); ++source) {
    if (table.faulty(source)) continue;
    for (KaryCube::Node destination = 0; destination < cube.node_count(); ++destination) {
      if (source == destination || table.faulty(destination)) continue;
      const PvRoute route = router.route(source, destination, nullptr);
      if (route.status == PvStatus::delivered)
        found.delivered.add(cube.lee_distance(source, destination), route.hops);
      else
        ++(route.status == PvStatus::failed ? found.failed : found.looping);
    }
  }
  return found;
}

}  // namespace flitmend
