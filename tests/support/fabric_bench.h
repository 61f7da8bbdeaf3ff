// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "protocols/routing/virtual_networks.h"
#include "rtl_tlm/fabric/fabric.h"
#include "support/test_waves.h"
#include "topologies/registry.h"

namespace flitmend {

/// A fabric with a 1 ns clock of its own or a clock that the test drives, and a log of deliveries. Records
/// waves on request (FLITMEND_TEST_WAVES). Made from settings, its registers are not SystemC objects: making
/// and destroying those dominates the time of most tests. Made from parameters, they follow the parameters.
class FabricBench : private MessageObserver {
 public:
  struct Delivery {
    NodeId source, destination;
    std::uint32_t length;
    Cycle created, injected, delivered;
    unsigned hops;
    friend bool operator==(const Delivery&, const Delivery&) = default;
  };

  FabricBench(const NetworkSettings& network, const HardwareSettings& hardware,
              const RoutingSettings& routing = {}, const char* name = "fabric", std::uint64_t seed = 1,
              const RecoveryProtocol* recovery = nullptr,
              const TransactionParameters& transactions = TransactionParameters::one_way(4096),
              unsigned message_classes = 1, const RouterFactory& foreign = {})
      : FabricBench(network, compact(hardware), routing, name, seed, recovery, transactions, message_classes,
                    foreign) {}
  FabricBench(const NetworkSettings& network, const HardwareParameters& hardware,
              const RoutingSettings& routing = {}, const char* name = "fabric", std::uint64_t seed = 1,
              const RecoveryProtocol* recovery = nullptr,
              const TransactionParameters& transactions = TransactionParameters::one_way(4096),
              unsigned message_classes = 1, const RouterFactory& foreign = {},
              sc_core::sc_signal<bool>* clock = nullptr)
      : topology_(make_topology(network)),
        routing_(message_classes > 1
                     ? make_virtual_networks(*topology_, hardware.router.virtual_channels, routing)
                     : make_routing(*topology_, hardware.router.virtual_channels, routing)),
        selection_(make_selection(*topology_, routing)),
        clock_(clock ? nullptr
                     : std::make_unique<sc_core::sc_clock>((std::string(name) + "_clock").c_str(), kPeriod)),
        fabric(name, *topology_, *routing_, *selection_, hardware, seed, transactions, recovery, foreign) {
    if (clock)
      fabric.clock(*clock);
    else
      fabric.clock(*clock_);
    fabric.add_observer(static_cast<MessageObserver&>(*this));
    waves_ = record_if_asked(fabric, kPeriod);
  }

  const Topology& topology() const { return *topology_; }
  /// Evaluates that many clock edges.
  void run(Cycle cycles) { sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS)); }
  /// Runs until the network is quiet or `limit` cycles have passed; true if it is quiet.
  bool drain(Cycle limit) {
    for (Cycle i = 0; i < limit && !fabric.quiet(); i += 16) run(16);
    if (!fabric.quiet()) return false;
    run(4 * fabric.context().hardware.ring);  // lets the last credits return
    return true;
  }

  std::vector<Delivery> deliveries;

 private:
  inline static const sc_core::sc_time kPeriod{1, sc_core::SC_NS};
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::unique_ptr<SelectionFunction> selection_;
  std::unique_ptr<sc_core::sc_clock> clock_;

 public:
  Fabric fabric;

 private:
  std::unique_ptr<FabricWaves> waves_;

  static HardwareParameters compact(const HardwareSettings& settings) {
    HardwareParameters hardware = HardwareParameters::from(settings);
    hardware.hierarchy = Hierarchy::compact;
    return hardware;
  }
  void message_delivered(MessageIndex, const Message& m, NodeId at, Cycle t) override {
    deliveries.push_back({m.source, at, m.length, m.created, m.injected, t, m.hops});
  }
};

inline NetworkSettings grid_network(const char* topology, std::vector<std::int64_t> size) {
  NetworkSettings s;
  s.topology = topology;
  s.size = std::move(size);
  return s;
}
inline NetworkSettings mesh_network(std::vector<std::int64_t> size) {
  return grid_network("mesh", std::move(size));
}
inline NetworkSettings hypercube_network(std::int64_t dimensions) {
  NetworkSettings s;
  s.topology = "hypercube";
  s.dimensions = dimensions;
  return s;
}
inline NetworkSettings kns_network(std::int64_t k, std::int64_t n) {
  NetworkSettings s;
  s.topology = "kns";
  s.k = k;
  s.n = n;
  return s;
}

inline HardwareSettings preset(const char* name) {
  HardwareSettings s;
  apply_preset(name, s);
  return s;
}

}  // namespace flitmend
