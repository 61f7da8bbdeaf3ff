// SPDX-License-Identifier: Apache-2.0
// Faults of a configuration in a network with a router of one's own.
#include "testbench/faults/fault_injector.h"

#include <gtest/gtest.h>

#include <set>

#include "base/errors.h"
#include "examples/own_router/simple_router.h"
#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"
#include "testbench/configuration/loader.h"
#include "testbench/network_on_chip.h"

namespace flitmend {
namespace {

RouterFactory own_router() {
  return routers_at({{1, 1}},
                    [](RouterBoundary& place) { return std::make_unique<SimpleRouter>("simple", place); });
}

struct FailedParts : FaultObserver {
  std::set<FaultyPart> parts;
  void part_failed(const FaultyPart& part, bool, Cycle) override { parts.insert(part); }
};

// Random faults, and aimed ones at heads.
TEST(FaultsOfAConfiguration, SpareRoutersOfOnesOwn) {
  const auto none = recovery_protocols().at("none").make({}, {});
  FabricBench bench(mesh_network({4, 4}), preset("iq"), {}, "fabric", 1, none.get(),
                    TransactionParameters::one_way(4096), 1, own_router());
  FaultSettings settings;
  settings.node_rate = settings.link_rate = 1e-3;
  settings.duration = {3};
  settings.aim.phases = {"head"};
  settings.aim.rate = 1e-2;
  FaultInjector injector("faults", bench.fabric, FaultPlan(settings, bench.topology(), 1));
  FailedParts failed;
  injector.add_observer(failed);
  for (int i = 0; i < 2000; ++i) {
    for (const auto& [from, to] : {std::pair{4u, 7u}, {1u, 13u}, {15u, 0u}})
      bench.fabric.network_interface(from).send(to, 4);
    bench.run(4);
  }
  const Fabric& fabric = bench.fabric;
  // All others of 16 routers and 48 channels fail.
  unsigned spared = 0;
  const auto check = [&](const FaultyPart& part) {
    const bool next_to = fabric.next_to_foreign(part.router, part.is_router() ? Fabric::kNoPort : part.port);
    EXPECT_NE(failed.parts.contains(part), next_to) << part_name(part, bench.topology());
    spared += next_to;
  };
  for (RouterId r = 0; r < 16; ++r) {
    check({r});
    for (PortId port = 0; port < bench.topology().port_count(r); ++port)
      if (bench.topology().neighbour(r, port)) check({r, port});
  }
  EXPECT_EQ(spared, 5u + 8u);
}

/// Why a 4x4 mesh with a router of one's own and these lines of configuration is refused; empty: it is not.
std::string refusal(const std::string& lines) {
  static unsigned networks = 0;
  try {
    NetworkOnChip network(("network" + std::to_string(networks++)).c_str(),
                          parse_configuration("network: {size: [4, 4]}\n"
                                              "tlm: {classes: shared, target_queue: 0}\n" +
                                                  lines,
                                              "c.yaml", {}),
                          own_router());
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

TEST(FaultsOfAConfiguration, ThatWouldHitARouterOfOnesOwnAreRefused) {
  const std::string why =
      " is to fail, but it is a router of your own, or next to one, which has no pins for faults; ";
  for (const auto& [faults, part] :
       {std::pair<std::string, std::string>{"static_nodes: [[1, 1]]", "router_1_1"},
        {"static_nodes: [[2, 1]]", "router_2_1"},
        {"static_links: [[[0, 1], [1, 1]]]", "router_0_1.east"},
        {"regions: ['box 2,0:2x2']", "router_2_1"},
        {"events: [{cycle: 5, node: [1, 2], duration: 4}]", "router_1_2"},
        {"events: [{cycle: 5, link: [[1, 1], [1, 0]], duration: permanent}]", "router_1_1.south"}}) {
    const std::string said = refusal("faults: {" + faults + "}\n");
    EXPECT_EQ(said.find("c.yaml:3:"), 0u) << said;
    EXPECT_NE(said.find(part + why), said.npos) << said;
  }
  EXPECT_NE(refusal("faults: {random_static_nodes: 12}\n").find("another simulation.seed"),
            std::string::npos);
  EXPECT_EQ(refusal("faults: {static_nodes: [[3, 3]], static_links: [[[2, 1], [2, 0]]]}\n"), "");
}

// Heads that wait in a router of one's own have routes by the old set of faults.
TEST(FaultsOfAConfiguration, RoutesThatChangeAtOnceNeedAllOfThemFromTheStart) {
  const std::string event = "faults: {events: [{cycle: 5, node: [3, 3], duration: 4}]}\n";
  const std::string up_down = "routing: {algorithm: up-down}\n";
  EXPECT_NE(
      refusal("routing: {algorithm: up-down, reconfiguration: immediate}\n" + event)
          .find("routing.algorithm: up-down routes by the set of all faults, and a router of your own "),
      std::string::npos);
  EXPECT_EQ(refusal(up_down + "faults: {static_nodes: [[3, 3]]}\n"), "");
  EXPECT_EQ(refusal(up_down + event), "") << "the network drains first";
}

}  // namespace
}  // namespace flitmend
