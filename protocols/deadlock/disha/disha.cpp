// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/disha/disha.h"

#include "protocols/deadlock/disha/unit.h"
#include "rtl_tlm/router/router.h"
#include "topologies/structure.h"

namespace flitmend {
namespace {

constexpr RecoveryNeeds kDishaNeeds{
    .flit_counter = false,
    .head_copy = false,
    .shadow_registers = false,
    .flit_copies = false,
    .circuits = false,
    .control_lines = line_bit(ControlLine::token) | line_bit(ControlLine::lane),
    .control_messages = false,
    .padding = false,
    .software_handler = false,
    .sender_copy = false,
    .id_memory = 0,
};

/// By router: its ports in a tree that spans the network, searched breadth first from router 0.
std::vector<Word> spanning_tree(const Topology& topology) {
  std::vector<Word> ports(topology.router_count());
  std::vector<bool> found(topology.router_count());
  std::vector<RouterId> reached{0};
  found[0] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (PortId port = 0; port < topology.port_count(reached[i]); ++port) {
      const auto far = topology.neighbour(reached[i], port);
      if (!far || found[far->router]) continue;
      found[far->router] = true;
      ports[reached[i]] |= Word{1} << port;
      ports[far->router] |= Word{1} << far->port;
      reached.push_back(far->router);
    }
  return ports;
}

}  // namespace

Disha::Disha(const Topology& topology, unsigned timeout)
    : RecoveryProtocol(kDishaNeeds),
      grid_(*structure_of<Grid>(topology)),
      timeout_(timeout),
      tour_(spanning_tree(topology)) {}

void Disha::equip(HardwareParameters& hardware, const Topology&) const {
  hardware.recovery_units = false;  // what they do about faults
  hardware.deadlock_timeout = timeout_;
}

std::unique_ptr<RouterRecovery> Disha::make_unit(Router& router) const {
  return std::make_unique<DishaUnit>(*this, router);
}

PortId Disha::lane_port(RouterId here, NodeId destination) const {
  unsigned dimension = 0;
  while (grid_.offset(here, destination, dimension) == 0) ++dimension;
  return grid_.port(dimension, grid_.offset(here, destination, dimension) > 0);
}

}  // namespace flitmend
