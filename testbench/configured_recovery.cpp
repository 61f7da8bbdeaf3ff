// SPDX-License-Identifier: Apache-2.0
#include "testbench/configured_recovery.h"

#include "protocols/deadlock/disha/disha.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "protocols/routing/registry.h"

namespace flitmend {

std::unique_ptr<RecoveryProtocol> configured_recovery(const Configuration& c, const Topology& topology) {
  if (c.deadlock.recovery == "disha")
    return std::make_unique<Disha>(topology, static_cast<unsigned>(c.deadlock.timeout));
  if (const unsigned wires = routing_properties(topology, c.routing).vector_wires; wires > 0)
    return std::make_unique<ProbabilityVectorExchange>(
        topology, wires, recovery_protocols().at(c.recovery.protocol).make(c.recovery, c.routing));
  if (!c.faults.any() && c.recovery.protocol == "none") return nullptr;
  return recovery_protocols().at(c.recovery.protocol).make(c.recovery, c.routing);
}

}  // namespace flitmend
