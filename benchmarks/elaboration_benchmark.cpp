// SPDX-License-Identifier: Apache-2.0
// Elaboration of networks with 4 virtual channels of 8 flits: time, and memory per node. Of the fabric alone,
// and of the whole simulation with traffic elements, scoreboard and statistics. 4,096 nodes, and 256 with and
// without the objects of registers.
#include <systemc>

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "support/network_case.h"
#include "testbench/simulation.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

template <class Elaborate>
Figures measure_elaboration(std::size_t nodes, Elaborate&& elaborate) {
  const double empty = resident_bytes();
  const double begin = cpu_seconds();
  elaborate();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Figures figures;
  figures.cpu_seconds = cpu_seconds() - begin;
  figures.bytes_per_node = (resident_bytes() - empty) / static_cast<double>(nodes);
  return figures;
}

// Elaborated objects are left to the end of the process.

Figures fabric_alone(const Configuration& c) {
  const Topology& topology = *make_topology(c.network).release();
  RoutingFunction& routing = *make_routing(topology, c.hardware.router.virtual_channels, c.routing).release();
  const SelectionFunction& selection = *make_selection(topology, c.routing).release();
  return measure_elaboration(topology.node_count(), [&] {
    auto& clock = *new sc_core::sc_clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
    HardwareParameters hardware = HardwareParameters::from(c.hardware);
    hardware.hierarchy = c.simulation.hardware_hierarchy();
    (new Fabric("fabric", topology, routing, selection, hardware))->clock(clock);
  });
}

Figures whole_simulation(const Configuration& c) {
  return measure_elaboration(make_topology(c.network)->node_count(), [&] { new Simulation(c); });
}

void register_elaboration(const std::string& name, const std::vector<std::string>& lines) {
  register_case("elaboration/fabric/" + name, "", [lines] { return fabric_alone(configuration_of(lines)); });
  register_case("elaboration/simulation/" + name, "",
                [lines] { return whole_simulation(configuration_of(lines)); });
}

[[maybe_unused]] const bool registered_elaboration =
    (register_elaboration("mesh-64x64", {"network: {topology: mesh, size: [64, 64]}"}),
     register_elaboration("torus-64x64", {"network: {topology: torus, size: [64, 64]}"}),
     register_elaboration("kns-64-2", {"network: {topology: kns, k: 64, n: 2}"}),
     register_elaboration("mesh-16x16-compact",
                          {"network: {topology: mesh, size: [16, 16]}", "simulation: {hierarchy: compact}"}),
     register_elaboration("mesh-16x16-full",
                          {"network: {topology: mesh, size: [16, 16]}", "simulation: {hierarchy: full}"}),
     true);

}  // namespace
}  // namespace flitmend
