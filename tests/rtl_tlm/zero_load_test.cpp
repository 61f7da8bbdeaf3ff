// SPDX-License-Identifier: Apache-2.0
// Latency at zero load equals its closed form, cycle for cycle, for every pair of nodes
// (docs/design.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "protocols/networks.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

struct Case {
  const char* name;
  NetworkSettings network;
  HardwareSettings hardware;
  RoutingSettings routing;
  std::uint32_t length;
  bool not_to_itself = false;
};

HardwareSettings iq(PipelineSettings pipeline, std::int64_t link, std::int64_t buffer = 16) {
  HardwareSettings s;
  s.router.pipeline = pipeline;
  s.link.latency = link;
  s.router.input_buffer = buffer;
  return s;
}

/// Sends one message between every pair of nodes, each into an empty network, and compares its latency with
/// `expected(hops)`.
template <class Expected>
void check_every_pair(FabricBench& bench, const Case& c, Expected&& expected) {
  bench.run(1);
  const NodeId nodes = bench.topology().node_count();
  std::size_t sent = 0;
  for (NodeId from = 0; from < nodes; ++from)
    for (NodeId to = 0; to < nodes; ++to) {
      if (c.not_to_itself && from == to) continue;
      bench.fabric.network_interface(from).send(to, c.length);
      ASSERT_TRUE(bench.drain(2000)) << c.name << ": " << from << " to " << to;
      ASSERT_EQ(bench.deliveries.size(), ++sent);
      const FabricBench::Delivery& d = bench.deliveries.back();
      const unsigned hops = bench.topology().distance(from, to);
      ASSERT_EQ(d.destination, to);
      ASSERT_EQ(d.hops, hops) << c.name << ": " << from << " to " << to;
      ASSERT_EQ(d.injected, d.created);
      ASSERT_EQ(d.delivered - d.created, expected(hops))
          << c.name << ": " << from << " to " << to << ", " << hops << " hops";
    }
  const ConservationReport report = bench.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_EQ(report.flits_in_network, 0u);
  EXPECT_EQ(report.credits_missing, 0u);
  EXPECT_EQ(report.busy_vcs, 0u);
}
template <class Expected>
void check_every_pair(const Case& c, Expected&& expected) {
  FabricBench bench(c.network, c.hardware, c.routing);
  check_every_pair(bench, c, expected);
}

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class InputQueuedZeroLoad : public testing::TestWithParam<Case> {};

TEST_P(InputQueuedZeroLoad, IsSRPlusLinksPlusThreePlusSerialisation) {
  const Case& c = GetParam();
  const auto& p = c.hardware.router.pipeline;
  const auto s = static_cast<Cycle>(p.sum());
  const auto link = static_cast<Cycle>(c.hardware.link.latency);
  check_every_pair(c, [&](Cycle hops) { return s * (hops + 1) + link * hops + 3 + (c.length - 1); });
}

const Case kInputQueued[] = {
    {"mesh 4x4", grid_network("mesh", {4, 4}), iq({1, 1, 1, 1}, 1, 8), {}, 5},
    {"mesh 5x3, one-cycle router", grid_network("mesh", {5, 3}), iq({0, 0, 0, 0}, 1), {}, 5},
    {"mesh 2x3x2, link 3", grid_network("mesh", {2, 3, 2}), iq({1, 1, 1, 1}, 3, 32), {}, 4},
    {"mesh of 2 nodes", grid_network("mesh", {2}), iq({1, 1, 1, 1}, 1, 8), {}, 1},
    {"mesh 4x3, stages 2 3 2 2", grid_network("mesh", {4, 3}), iq({2, 3, 2, 2}, 2, 32), {}, 6},
    {"mesh 3x3, stages 0 1 0 2", grid_network("mesh", {3, 3}), iq({0, 1, 0, 2}, 1), {}, 3},
    {"mesh 3x3, stages 1 0 1 0", grid_network("mesh", {3, 3}), iq({1, 0, 1, 0}, 1), {}, 2},
    {"torus 4x4, link 2", grid_network("torus", {4, 4}), iq({1, 1, 1, 1}, 2), {}, 5},
    {"torus 5x3", grid_network("torus", {5, 3}), iq({1, 1, 1, 1}, 1), {}, 5},
    {"torus 2x2", grid_network("torus", {2, 2}), iq({1, 1, 1, 1}, 1), {}, 5},
    {"hypercube 4", hypercube_network(4), iq({1, 1, 1, 1}, 1), {}, 5},
    {"hypercube 3, stages 0 0 1 1", hypercube_network(3), iq({0, 0, 1, 1}, 1), {}, 9},
    {"duato on a mesh", grid_network("mesh", {3, 4}), iq({1, 1, 1, 1}, 1), algorithm("duato"), 5},
    {"duato on a hypercube", hypercube_network(3), iq({1, 1, 1, 1}, 1), algorithm("duato"), 5},
    {"kns as routers", kns_network(4, 2), iq({1, 1, 1, 1}, 1), algorithm("hybrid-dor"), 5},
};
std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Pairs, InputQueuedZeroLoad, testing::ValuesIn(kInputQueued), name_of);

HardwareSettings with_switching(HardwareSettings s, const char* switching) {
  s.router.switching = switching;
  return s;
}

/// A message to the node itself crosses the injection and the ejection channel only. The slower of their
/// credit loops limits it where buffers are shorter.
struct EndLoops {
  unsigned injection, ejection, receiver, credit,
      stages;  ///< stages: of switch allocation and traversal, each
  bool unlimited;
};

class CreditLoopsAtTheEnds : public testing::TestWithParam<EndLoops> {};

TEST_P(CreditLoopsAtTheEnds, LimitAMessageWhereBuffersAreShorter) {
  const EndLoops& p = GetParam();
  const Cycle into = 2 * p.injection + p.credit;
  const Cycle out = 2 * p.stages + 2 * p.ejection + std::max(p.receiver, p.credit);
  const Cycle loop = p.unlimited ? into : std::max(into, out);
  constexpr Cycle kFlits = 60;
  std::map<Cycle, std::unique_ptr<FabricBench>> benches;  // by buffer; all before the simulation starts
  for (Cycle buffer = 1; buffer <= loop + 1; buffer += 1 + buffer / 4) {
    HardwareSettings h = iq({1, 1, p.stages, p.stages, p.credit}, 1, static_cast<std::int64_t>(buffer));
    h.network_interface.injection_latency = p.injection;
    h.network_interface.ejection_latency = p.ejection;
    h.network_interface.receiver_latency = p.receiver;
    if (p.unlimited) h.network_interface.ejection = "unlimited";
    benches[buffer] = std::make_unique<FabricBench>(grid_network("mesh", {2}), h, RoutingSettings(),
                                                    ("fabric" + std::to_string(buffer)).c_str());
  }
  benches.begin()->second->run(1);
  for (const auto& [buffer, bench] : benches) {
    bench->fabric.network_interface(0).send(0, kFlits);
    ASSERT_TRUE(bench->drain(20000));
    const Cycle more = buffer < loop ? (kFlits - 1) / buffer * loop + (kFlits - 1) % buffer : kFlits - 1;
    EXPECT_EQ(bench->deliveries.at(0).delivered - bench->deliveries.at(0).created,
              2 + 2 * p.stages + p.injection + p.ejection + p.receiver + more)
        << "buffers of " << buffer << ", a loop of " << loop;
  }
}

INSTANTIATE_TEST_SUITE_P(Channels, CreditLoopsAtTheEnds,
                         testing::Values(EndLoops{1, 1, 1, 1, 1, false}, EndLoops{1, 1, 1, 1, 1, true},
                                         EndLoops{10, 1, 1, 1, 1, false}, EndLoops{1, 10, 1, 1, 1, false},
                                         EndLoops{1, 1, 3, 1, 1, false}, EndLoops{1, 1, 1, 3, 1, false},
                                         EndLoops{1, 1, 3, 3, 1, false}, EndLoops{1, 2, 0, 1, 2, false},
                                         EndLoops{4, 1, 1, 2, 2, true}));

TEST(ZeroLoad, VirtualCutThroughIsAsWormhole) {
  check_every_pair({"cut-through",
                    grid_network("mesh", {4, 4}),
                    with_switching(iq({1, 1, 1, 1}, 1), "virtual-cut-through"),
                    {},
                    5},
                   [](Cycle hops) { return 4 * (hops + 1) + hops + 3 + 4; });
}

TEST(ZeroLoad, StoreAndForwardWaitsForTheWholeMessageInEveryRouter) {
  check_every_pair({"store and forward",
                    grid_network("mesh", {4, 3}),
                    with_switching(iq({1, 1, 1, 1}, 1), "store-and-forward"),
                    {},
                    5},
                   [](Cycle hops) { return (4 + 4) * (hops + 1) + hops + 3 + 4; });
}

/// The same network, length and stages with every switching technique.
class Techniques : public testing::TestWithParam<Case> {};

TEST_P(Techniques, HaveTheirClosedForms) {
  const Case& c = GetParam();
  const auto& p = c.hardware.router.pipeline;
  const auto stages = static_cast<Cycle>(p.sum());
  const auto link = static_cast<Cycle>(c.hardware.link.latency);
  const auto crossing = static_cast<Cycle>(p.switch_allocation + p.switch_traversal);
  const Cycle rest = c.length - 1;
  const auto head = [&](Cycle hops) { return stages * (hops + 1) + link * hops + 3; };
  const auto pipelined = [&](Cycle hops) { return head(hops) + rest; };
  const auto stored = [&](Cycle hops) { return head(hops) + rest * (hops + 1) + rest; };
  // The acknowledgement crosses the links, then the first data flit does what the head has done, without its
  // route computations and VC allocations.
  const auto acknowledged = [&](Cycle hops) {
    return head(hops) + (rest == 0 ? 0 : link * hops + (crossing + link) * hops) + rest;
  };
  const std::pair<const char*, std::function<Cycle(Cycle)>> techniques[] = {
      {"wormhole", pipelined},
      {"virtual-cut-through", pipelined},
      {"store-and-forward", stored},
      {"pipelined-circuit", acknowledged}};
  std::vector<std::unique_ptr<FabricBench>> benches;
  for (const auto& [technique, expected] : techniques)
    benches.push_back(std::make_unique<FabricBench>(c.network, with_switching(c.hardware, technique),
                                                    c.routing, sc_core::sc_gen_unique_name("fabric")));
  for (std::size_t i = 0; i < benches.size(); ++i) {
    SCOPED_TRACE(techniques[i].first);
    ASSERT_NO_FATAL_FAILURE(check_every_pair(*benches[i], c, techniques[i].second));
  }
}

const Case kTechniques[] = {
    {"mesh 4x3", grid_network("mesh", {4, 3}), iq({1, 1, 1, 1}, 1), {}, 5},
    {"mesh 4x3, head and tail in one flit", grid_network("mesh", {4, 3}), iq({1, 1, 1, 1}, 1), {}, 1},
    {"mesh 4x3, 2 flits", grid_network("mesh", {4, 3}), iq({1, 1, 1, 1}, 1), {}, 2},
    {"mesh 3x3, link 3", grid_network("mesh", {3, 3}), iq({1, 1, 1, 1}, 3), {}, 12},
    {"mesh 2x3x2, stages 2 3 2 2", grid_network("mesh", {2, 3, 2}), iq({2, 3, 2, 2}, 2), {}, 6},
    {"mesh 3x3, stages 0 1 0 2", grid_network("mesh", {3, 3}), iq({0, 1, 0, 2}, 1), {}, 3},
    {"mesh 3x3, one-cycle router", grid_network("mesh", {3, 3}), iq({0, 0, 0, 0}, 1), {}, 7},
    {"torus 4x4, link 2", grid_network("torus", {4, 4}), iq({1, 1, 1, 1}, 2), {}, 5},
    {"torus 5x3, stages 0 0 1 1", grid_network("torus", {5, 3}), iq({0, 0, 1, 1}, 1), {}, 9},
    {"hypercube 4", hypercube_network(4), iq({1, 1, 1, 1}, 1), {}, 5},
    {"hypercube 3, stages 1 0 1 0", hypercube_network(3), iq({1, 0, 1, 0}, 2), {}, 8},
    {"duato on a torus", grid_network("torus", {4, 4}), iq({1, 1, 1, 1}, 1), algorithm("duato"), 5},
    {"kns as routers", kns_network(4, 2), iq({1, 1, 1, 1}, 1), algorithm("hybrid-dor"), 5},
};
INSTANTIATE_TEST_SUITE_P(Pairs, Techniques, testing::ValuesIn(kTechniques), name_of);

/// Cycles of credit processing and of a link, and flits of a buffer.
struct Loop {
  unsigned credit, link, depth;
};
void PrintTo(const Loop& l, std::ostream* out) {
  *out << "credit " << l.credit << ", link " << l.link << ", buffer " << l.depth;
}

class CreditLoop : public testing::TestWithParam<Loop> {};

TEST_P(CreditLoop, LimitsAStreamWhereTheBufferIsShorter) {
  const Loop& l = GetParam();
  constexpr std::uint32_t kLength = 16;
  const Cycle loop = 2 + 2 * l.link + l.credit;
  const Cycle stream =
      l.depth < loop ? (kLength - 1) / l.depth * loop + (kLength - 1) % l.depth : kLength - 1;
  HardwareSettings hardware = iq({1, 1, 1, 1, l.credit}, l.link, l.depth);
  hardware.router.virtual_channels = 1;
  hardware.network_interface.ejection = "unlimited";
  check_every_pair({"line", grid_network("mesh", {4}), hardware, {}, kLength, true},
                   [&](Cycle hops) { return 4 * (hops + 1) + l.link * hops + 3 + stream; });
}

INSTANTIATE_TEST_SUITE_P(Loops, CreditLoop,
                         testing::Values(Loop{0, 1, 3}, Loop{0, 1, 4}, Loop{1, 1, 3}, Loop{1, 1, 4},
                                         Loop{1, 1, 5}, Loop{2, 1, 4}, Loop{4, 1, 4}, Loop{1, 2, 4},
                                         Loop{2, 2, 5}));

TEST(ZeroLoad, KaryNcubeTakesACyclePerHopAndOnePerFlit) {
  check_every_pair({"kary-ncube", grid_network("torus", {4, 4}), preset("kary-ncube"), {}, 32},
                   [](Cycle hops) { return hops + 32; });
}

TEST(ZeroLoad, SbrpMovesAFlitEveryOtherCycle) {
  check_every_pair({"sbrp", hypercube_network(4), preset("sbrp"), {}, 12},
                   [](Cycle hops) { return hops == 0 ? 1 + 11 : 2 * hops + 1 + 2 * 11; });
}

TEST(ZeroLoad, KnsCrossesRoutersAndSwitches) {
  check_every_pair({"kns", kns_network(4, 2), preset("kns"), algorithm("hybrid-dor"), 16},
                   [](Cycle hops) { return 4 * (hops + 1) + hops + 3 + 15; });
}

}  // namespace
}  // namespace flitmend
