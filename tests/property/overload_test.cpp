// SPDX-License-Identifier: Apache-2.0
// Every routing algorithm under more load than the network can carry: every message arrives exactly once over
// as many hops as the algorithm says, and no message goes from one channel to another that the checker does
// not know. The registers are read for this after every cycle, the algorithm is not asked. If it is proved
// free of deadlock, the watchdog finds nothing; if not, Disha ends the deadlocks, and there is one token.
#include <array>

#include "support/overloaded.h"

namespace flitmend {
namespace {

// The sanitizers take five times as long; they see every code path in a part of the cycles. Some algorithms
// have no deadlock yet by then.
#ifdef __SANITIZE_ADDRESS__
constexpr Cycle kSendingTo = 400;
constexpr bool kDeadlocksCome = false;
#else
constexpr Cycle kSendingTo = 1200;
constexpr bool kDeadlocksCome = true;
#endif
constexpr Cycle kMostCycles = 60000;
constexpr NodeId kFewestNodes = 9, kMostNodes = 64;

class Overload : public testing::TestWithParam<std::size_t> {};

TEST_P(Overload, EveryMessageArrivesOnceAsTheCheckerSays) {
  const RoutingEntry& entry = routing_algorithms().entries()[GetParam()];
  std::vector<std::unique_ptr<Overloaded>> all;
  std::vector<RoutingSettings> settings = entry.examples;
  settings.emplace_back();
  for (const TopologyEntry& topology : topologies().entries())
    for (NetworkSettings size : topology.examples) {
      size.topology = topology.name;
      const auto network = make_topology(size);
      if (!entry.applies_to(*network)) continue;
      for (RoutingSettings routing : settings) {
        routing.algorithm = entry.name;
        try {
          entry.check_options(*network, routing);
        } catch (const ConfigurationError&) {  // an option that has no meaning there
          continue;
        }
        const RoutingProperties properties = entry.properties(*network, routing);
        if (properties.proof == DeadlockProof::none && !is_grid(*network)) continue;
        if (network->node_count() < kFewestNodes || network->node_count() > kMostNodes) continue;
        const bool recovers = properties.proof == DeadlockProof::none;
        const char* const presets[] = {"iq", "kary-ncube", "sbrp"};
        HardwareSettings hardware = preset(recovers ? presets[all.size() % 3] : "iq");
        RouterSettings& router = hardware.router;
        router.virtual_channels = properties.virtual_channels + all.size() % 3;
        router.vc_reallocation = properties.atomic_vc_reallocation || recovers || all.size() % 2
                                     ? "atomic"
                                     : router.vc_reallocation;
        if (!recovers)
          router.switching =
              std::array{"wormhole", "pipelined-circuit", "virtual-cut-through"}[all.size() % 3];
        if (hardware.router.preset != "sbrp") router.input_buffer = 8;
        if (all.size() % 2) routing.request = "all";
        if (all.size() % 4 < 2) hardware.network_interface.injection_limit = "alo";
        TrafficSettings load;
        load.message_length = !recovers && all.size() % 4 == 1 ? 1 : 6;
        // Recovery takes one message at a time, so what relies on it saturates early.
        load.load = largest_load(load, *network, 1.0) * (recovers ? 0.3 : 0.95);
        all.push_back(std::make_unique<Overloaded>(size, hardware, routing, properties, load, kSendingTo,
                                                   "overloaded" + std::to_string(all.size())));
      }
    }
  if (entry.name == "table") GTEST_SKIP() << "its routes are in a file";
  ASSERT_FALSE(all.empty());
  const auto busy = [&] {
    return std::any_of(all.begin(), all.end(), [](const auto& network) { return network->busy(); });
  };
  Cycle t = 0;
  do {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (const auto& network : all) network->look(t);
  } while (++t < kMostCycles && (t <= kSendingTo || busy()));
  sc_core::sc_start(sc_core::sc_time(64, sc_core::SC_NS));  // the last credits return
  std::uint64_t recovered = 0;
  for (const auto& network : all) {
    network->check();
    recovered += network->recovered();
  }
  const bool recovers =
      std::any_of(all.begin(), all.end(), [](const auto& network) { return network->relies_on_recovery(); });
  if (kDeadlocksCome || !recovers) {
    EXPECT_EQ(recovered > 0, recovers);
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithm, Overload,
                         testing::Range(std::size_t{0}, routing_algorithms().entries().size()),
                         name_of_algorithm);

}  // namespace
}  // namespace flitmend
