// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/memory_estimate.h"

#include "base/errors.h"
#include "protocols/recovery/registry.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/router_memory.h"
#include "testbench/configured_network.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

// Bytes of an object, including what the SystemC kernel stores about it; measured. A test compares the sum
// with what a run takes.
constexpr std::uint64_t kProgram = 16 << 20;
constexpr std::uint64_t kRouter = 1000;
constexpr std::uint64_t kRouterParts = 1600;  // modules of its allocators and its crossbar
constexpr std::uint64_t kPortParts = 1200;    // of the input and output controllers
constexpr std::uint64_t kChannel = 300;
constexpr std::uint64_t kChannelPart = 550;
constexpr std::uint64_t kInterface = 2300;
constexpr std::uint64_t kInterfacePerVc = 16;
constexpr std::uint64_t kInterfacePerSlot = 24;  // of the arrival registers
constexpr std::uint64_t kSockets = 4400;
constexpr std::uint64_t kSink = 3600;
constexpr std::uint64_t kGenerator = 2300;
constexpr std::uint64_t kObjectsPerPort = 9300;  // registers in the hierarchy of SystemC
constexpr std::uint64_t kObjectsPerVc = 9400;
constexpr std::uint64_t kObjectsPerElement = 1000;  // of a probability vector
constexpr std::uint64_t kRecoveryUnit = 64;
constexpr std::uint64_t kRecoveryEnds = 700;
constexpr std::uint64_t kStatisticsPerNode = 40;
constexpr std::uint64_t kStatistics = 4 << 20;
constexpr std::uint64_t kWavesPerPort = 2300;
constexpr std::uint64_t kWavesPerVc = 1450;
constexpr std::uint64_t kWavesPerElement = 250;

std::uint64_t graph_bytes(const Topology& topology, std::uint64_t ports) {
  const std::uint64_t dimensions = topology.coordinates(0).size();
  return ports * sizeof(RouterPort) + topology.router_count() * (dimensions + 1) * sizeof(std::uint32_t);
}

}  // namespace

std::uint64_t MemoryEstimate::total() const {
  std::uint64_t sum = 0;
  for (const Part& part : parts) sum += part.bytes;
  return sum;
}

MemoryEstimate estimate_memory(const Configuration& c, const RoutingFunction& routing,
                               const SelectionFunction& selection) {
  const Topology& topology = routing.topology();
  HardwareParameters hardware = HardwareParameters::from(c.hardware);
  hardware.hierarchy = c.simulation.hardware_hierarchy();
  const std::unique_ptr<RecoveryProtocol> recovery = configured_recovery(c, topology);
  if (recovery) hardware = recovery->equipped(hardware, topology);
  hardware.fit(topology);
  NetworkContext context{topology, routing, selection, hardware, 1, {}, {}};
  const std::uint64_t routers = topology.router_count();
  const std::uint64_t nodes = topology.node_count();
  std::uint64_t registers = 0, network_ports = 0, channels = 0;
  for (RouterId r = 0; r < routers; ++r) {
    const bool has_local_port = r < nodes;
    registers += context.shared<RouterMemory>()
                     .layout(context, topology.port_count(r) + has_local_port, has_local_port)
                     .bytes;
    network_ports += topology.port_count(r);
    for (PortId port = 0; port < topology.port_count(r); ++port)
      channels += topology.neighbour(r, port).has_value();
  }
  const std::uint64_t ports = network_ports + nodes;
  const std::uint64_t elements = (routers + network_ports) * hardware.vector_elements;
  channels += nodes * ((hardware.network_interface.injection_latency > 0) +
                       !hardware.network_interface.unlimited_ejection());

  MemoryEstimate estimate;
  const auto add = [&](const char* name, std::uint64_t bytes) { estimate.parts.push_back({name, bytes}); };
  add("program and graph of the network", kProgram + graph_bytes(topology, network_ports));
  add("registers of the routers", registers);
  add("routers", routers * kRouter);
  if (context.full_hierarchy())
    add("parts of routers and registers as objects (simulation.hierarchy: full)",
        routers * kRouterParts + ports * kPortParts + channels * kChannelPart +
            ports * (kObjectsPerPort + kObjectsPerVc * hardware.router.virtual_channels) +
            elements * kObjectsPerElement);
  add("channels", channels * kChannel);
  add("network interfaces and their sockets",
      nodes * (kInterface + kInterfacePerVc * hardware.router.virtual_channels +
               kInterfacePerSlot * hardware.ring + kSockets));
  add("traffic generators and sinks", nodes * (kGenerator + kSink));
  add("statistics and scoreboard", kStatistics + nodes * kStatisticsPerNode);
  if (recovery)
    add("recovery units and receivers (recovery.protocol)",
        routers * kRecoveryUnit + nodes * kRecoveryEnds +
            nodes * nodes * recovery_protocols().at(c.recovery.protocol).bytes_per_source);
  if (c.waves.enabled)
    add("waveforms", ports * (kWavesPerPort + kWavesPerVc * hardware.router.virtual_channels) +
                         elements * kWavesPerElement);
  return estimate;
}

void check_memory(const MemoryEstimate& estimate, const MemoryLimit& limit, const Topology& topology) {
  if (estimate.total() <= limit.bytes) return;
  std::string message = "the " + topology.description() + " needs about " + bytes_text(estimate.total()) +
                        " of memory, but only " + bytes_text(limit.bytes) + " are left (" + limit.bound +
                        "); choose a smaller network, fewer virtual channels or shorter buffers";
  for (const MemoryEstimate::Part& part : estimate.parts)
    message += "\n  " + part.name + ": " + bytes_text(part.bytes);
  throw KeyError("network." + std::string(topologies().at(topology.name()).size_keys.front()), message);
}

}  // namespace flitmend
