#include "testbench/configuration/settle.h"

#include "topologies/registry.h"

namespace flitmend {

void settle(Configuration& c) try {
  c.network.complete();
  const std::unique_ptr<Topology> topology = make_topology(c.network);
} catch (const ConfigurationError& error) {
  throw c.located(error);
}

}  // namespace flitmend
