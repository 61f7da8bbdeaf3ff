// SPDX-License-Identifier: Apache-2.0
// What overload_test.cpp does for a moment, for a million flits per routing algorithm, on networks of random
// sizes that are offered up to twice what they could carry at best. What is not proved free of deadlock gets
// Disha.
#include <array>

#include "base/random_stream.h"
#include "support/overloaded.h"
#include "topologies/capacity.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kFlits = 1'000'000;
constexpr std::size_t kNetworks = 4;
constexpr NodeId kFewestNodes = 5, kMostNodes = 128;
/// A network that carries less than this share of what it is offered is saturated: without saturation all of
/// it arrives, but for what is under way when the count ends.
constexpr double kSaturated = 0.9;

struct Combination {
  NetworkSettings size;
  RoutingSettings routing;
};

std::int64_t between(RandomStream& random, unsigned least, unsigned most) {
  return least + random.below(most - least + 1);
}

/// Networks of random sizes; of topologies that have no size, the examples.
std::vector<NetworkSettings> random_sizes(const TopologyEntry& topology, RandomStream& random) {
  const auto side = [&] { return between(random, 5, 9); };
  if (topology.name == "mesh" || topology.name == "torus") {
    const std::int64_t square = side();  // some algorithms need equal radices
    return {{.topology = std::string(topology.name), .size = {side(), side()}},
            {.topology = std::string(topology.name), .size = {square, square}},
            {.topology = std::string(topology.name), .size = {3, 4, between(random, 3, 5)}}};
  }
  if (topology.name == "hypercube") return {{.topology = "hypercube", .dimensions = between(random, 4, 6)}};
  std::vector<NetworkSettings> all = topology.examples;
  for (NetworkSettings& size : all) size.topology = topology.name;
  return all;
}

/// Networks and options with which the algorithm is proved free of deadlock, or on which Disha knows a lane,
/// in random order.
std::vector<Combination> combinations_of(const RoutingEntry& entry, RandomStream& random) {
  std::vector<RoutingSettings> settings = entry.examples;
  settings.emplace_back();
  std::vector<Combination> all;
  for (const TopologyEntry& topology : topologies().entries())
    for (const NetworkSettings& size : random_sizes(topology, random)) {
      const auto network = make_topology(size);
      if (!entry.applies_to(*network)) continue;
      if (network->node_count() < kFewestNodes || network->node_count() > kMostNodes) continue;
      for (RoutingSettings routing : settings) {
        routing.algorithm = entry.name;
        try {
          entry.check_options(*network, routing);
        } catch (const ConfigurationError&) {  // an option that has no meaning there
          continue;
        }
        if (entry.properties(*network, routing).proof != DeadlockProof::none || is_grid(*network))
          all.push_back({size, routing});
      }
    }
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[random.below(static_cast<std::uint32_t>(i))]);
  return all;
}

/// Nodes inject through all their virtual channels at once, so that more can be offered than links carry.
HardwareSettings random_hardware(const Topology& topology, const RoutingSettings& routing,
                                 RandomStream& random) {
  const RoutingProperties needs = routing_properties(topology, routing);
  HardwareSettings hardware = preset("iq");
  hardware.network_interface.injection = "buffers";
  hardware.network_interface.injection_latency = 0;
  RouterSettings& router = hardware.router;
  router.switching = std::array{"wormhole", "pipelined-circuit", "virtual-cut-through",
                                "store-and-forward"}[random.below(4)];
  if (router.switching == "pipelined-circuit" && narrowest_link(topology, 64)) router.switching = "wormhole";
  router.virtual_channels = std::max(2u, needs.virtual_channels + random.below(3));
  router.input_buffer = router.needs_whole_room() ? 10 : between(random, 1, 10);
  const bool needs_atomic = needs.atomic_vc_reallocation &&
                            (!router.needs_whole_room() ||
                             make_routing(topology, router.virtual_channels, routing)->looks_at_outputs());
  if (needs_atomic || random.below(2)) router.vc_reallocation = "atomic";
  if (needs.proof == DeadlockProof::none) {  // Disha
    router.switching = "wormhole";
    router.vc_reallocation = "atomic";
  }
  hardware.link.latency = between(random, 1, 2);
  if (random.below(2)) hardware.network_interface.injection_limit = "alo";
  return hardware;
}

struct Trial {
  std::unique_ptr<Overloaded> network;
  double capacity;  ///< flits per node and cycle
  double offered;
  std::uint32_t length;
  Cycle sending_to;
};

class LongOverload : public testing::TestWithParam<std::size_t> {};

TEST_P(LongOverload, AMillionFlitsArriveOnceAsTheCheckerSays) {
  const RoutingEntry& entry = routing_algorithms().entries()[GetParam()];
  if (entry.name == "table") GTEST_SKIP() << "its routes are in a file";
  RandomStream random(2026, RandomPurpose::test, static_cast<std::uint32_t>(GetParam()));
  std::vector<Combination> combinations = combinations_of(entry, random);
  ASSERT_FALSE(combinations.empty());
  combinations.resize(std::min(combinations.size(), kNetworks));

  std::vector<Trial> trials;
  for (Combination& c : combinations) {
    const auto network = make_topology(c.size);
    const RoutingProperties needs = entry.properties(*network, c.routing);
    const HardwareSettings hardware = random_hardware(*network, c.routing, random);
    if (random.below(2)) c.routing.request = "all";
    // No network carries more than its bisection does, nor than nodes can take.
    const double capacity = std::min(1.0, capacity_flits(*network));
    const double times = trials.empty() ? 2.0 : 1.0 + random.uniform();
    TrafficSettings load;
    load.message_length = between(random, 1, 10);
    load.load = std::min(times * capacity,
                         largest_load(load, *network, HardwareParameters::from(hardware).injection_limit()));
    const auto sending_to =
        static_cast<Cycle>(static_cast<double>(kFlits) * 1.02 /
                           (load.load * static_cast<double>(combinations.size() * network->node_count())));
    trials.push_back({std::make_unique<Overloaded>(c.size, hardware, c.routing, needs, load, sending_to,
                                                   "overloaded" + std::to_string(trials.size())),
                      capacity, load.load, static_cast<std::uint32_t>(load.message_length), sending_to});
  }

  const auto busy = [&](Cycle t) {
    return std::any_of(trials.begin(), trials.end(),
                       [&](const Trial& trial) { return t <= trial.sending_to || trial.network->busy(); });
  };
  constexpr Cycle kMostCycles = 2'000'000;
  for (Cycle t = 0; t < kMostCycles && busy(t) && !HasFailure(); ++t) {  // a deadlock never ends
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (const Trial& trial : trials) trial.network->look(t);
  }
  sc_core::sc_start(sc_core::sc_time(64, sc_core::SC_NS));  // the last credits return

  std::uint64_t flits = 0;
  double most_times = 0;
  for (const Trial& trial : trials) {
    trial.network->check();
    EXPECT_EQ(trial.network->recovered() > 0, trial.network->relies_on_recovery()) << trial.network->text();
    flits += trial.network->messages_between(0, kNever).second * trial.length;
    const Cycle from = trial.sending_to / 4;
    const auto [created, arrived] = trial.network->messages_between(from, trial.sending_to);
    const double per_message =
        trial.length / (static_cast<double>(trial.sending_to - from) * trial.network->nodes());
    const double offered = static_cast<double>(created) * per_message;
    const double accepted = static_cast<double>(arrived) * per_message;
    EXPECT_LT(accepted, kSaturated * offered) << trial.network->text();
    EXPECT_NEAR(offered, trial.offered, 0.1 * trial.offered) << trial.network->text();
    most_times = std::max(most_times, offered / accepted);
    std::printf("%s: offered %.3f flits per node and cycle, accepted %.3f, capacity %.3f\n",
                trial.network->text().c_str(), offered, accepted, trial.capacity);
  }
  EXPECT_GE(flits, kFlits);
  EXPECT_GE(most_times, 2.0) << "no network was offered twice what it carries";
  std::printf("%s: %llu flits, offered up to %.2f times what was accepted\n", std::string(entry.name).c_str(),
              static_cast<unsigned long long>(flits), most_times);
}

INSTANTIATE_TEST_SUITE_P(Algorithm, LongOverload,
                         testing::Range(std::size_t{0}, routing_algorithms().entries().size()),
                         name_of_algorithm);

}  // namespace
}  // namespace flitmend
