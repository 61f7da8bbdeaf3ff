// SPDX-License-Identifier: Apache-2.0
// A crossbar with an input per virtual channel and an output per port, and virtual channels that are drawn at
// random: the allocators alone, and routers by the cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/random_stream.h"
#include "rtl_tlm/router/parts/switch_allocator.h"
#include "rtl_tlm/router/parts/vc_allocator.h"
#include "support/fabric_bench.h"
#include "topologies/grid.h"

namespace flitmend {
namespace {

/// A hop per cycle, and a message per virtual channel enters at the same time.
HardwareSettings one_cycle(std::int64_t vcs, const char* crossbar) {
  HardwareSettings s;
  s.router.virtual_channels = vcs;
  s.router.pipeline = {0, 0, 0, 0, 0};
  s.router.crossbar = crossbar;
  s.network_interface.injection = "buffers";
  s.network_interface.injection_latency = 0;
  s.network_interface.ejection = "unlimited";
  s.network_interface.ejection_latency = 0;
  s.network_interface.receiver_latency = 0;
  return s;
}

/// Latencies of the messages that have arrived, by destination.
std::map<NodeId, Cycle> latencies(const FabricBench& bench) {
  std::map<NodeId, Cycle> all;
  for (const FabricBench::Delivery& d : bench.deliveries) all[d.destination] = d.delivered - d.created;
  return all;
}

/// Masks of ids take one word, or several.
class CrossbarInputs : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(VirtualChannels, CrossbarInputs, testing::Values(2u, 4u, 40u),
                         testing::PrintToStringParamName());

TEST_P(CrossbarInputs, MessagesOfOneNodeToDifferentOutputsDoNotShareAnInput) {
  constexpr std::uint32_t kFlits = 8;
  FabricBench shared(mesh_network({3}), one_cycle(GetParam(), "port"), {}, "shared");
  FabricBench own(mesh_network({3}), one_cycle(GetParam(), "virtual-channel-inputs"), {}, "own");
  shared.run(1);
  for (FabricBench* bench : {&shared, &own}) {
    for (const NodeId to : {0u, 2u}) bench->fabric.network_interface(1).send(to, kFlits);
    ASSERT_TRUE(bench->drain(200));
  }
  EXPECT_EQ(latencies(own), (std::map<NodeId, Cycle>{{0, 1 + kFlits - 1}, {2, 1 + kFlits - 1}}));
  const auto [first, second] = std::minmax({latencies(shared).at(0), latencies(shared).at(2)});
  EXPECT_EQ(first, 1 + 2 * kFlits - 2) << "one flit of the two per cycle, in turn";
  EXPECT_EQ(second, 1 + 2 * kFlits - 1);
}

TEST_P(CrossbarInputs, AnOutputTakesAFlitPerCycleFromEachInputInTurn) {
  constexpr std::uint32_t kFlits = 8;
  FabricBench bench(mesh_network({4}), one_cycle(GetParam(), "virtual-channel-inputs"));
  const Grid& grid = *structure_of<Grid>(bench.topology());
  const unsigned east = grid.port(0, true), west = grid.port(0, false), vcs = GetParam();
  const OutputController& output = bench.fabric.router(1).output(east);
  bench.run(1);
  bench.fabric.network_interface(0).send(3, kFlits);  // it is in router 1 one cycle later
  bench.run(1);
  bench.fabric.network_interface(1).send(3, kFlits);
  const unsigned local = bench.fabric.router(1).local_port();
  std::map<unsigned, unsigned> by_port;
  unsigned last = vcs * (local + 1);
  for (unsigned i = 0; i < 2 * kFlits; ++i) {
    const Cycle now = bench.fabric.cycles();
    bench.run(1);
    ASSERT_EQ(output.granted_at(), now) << "the link is never idle";
    ASSERT_NE(output.granted_input(), last) << "flit " << i;
    last = output.granted_input();
    ++by_port[last / vcs];
  }
  EXPECT_EQ(by_port, (std::map<unsigned, unsigned>{{west, kFlits}, {local, kFlits}}));
  bench.run(1);
  EXPECT_NE(output.granted_at(), bench.fabric.cycles() - 1) << "both are through";
  ASSERT_TRUE(bench.drain(100));
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

TEST_P(CrossbarInputs, EveryOutputServesWhatWantsItByRoundRobin) {
  const unsigned ports = 5, vcs = GetParam(), ids = ports * vcs;
  SwitchAllocator allocator(ports, vcs, 1);
  std::vector<unsigned> last(ports);
  for (unsigned out = 0; out < ports; ++out) last[out] = out * vcs + vcs - 1;
  RandomStream random(3, RandomPurpose::test);
  for (int round = 0; round < 300; ++round) {
    std::vector<Word> asking(mask_words(ids));
    std::vector<unsigned> output_of(ids);
    std::map<unsigned, std::set<unsigned>> wishes;
    const std::uint32_t share = 1 + random.below(8);
    for (unsigned id = 0; id < ids; ++id) {
      if (random.below(share) != 0) continue;
      output_of[id] = random.below(ports);
      set_bit(asking.data(), id);
      wishes[output_of[id]].insert(id);
    }
    std::vector<std::uint16_t> expected, granted(ids);
    for (const auto& [out, those] : wishes) {
      const auto next = those.upper_bound(last[out]);
      last[out] = next == those.end() ? *those.begin() : *next;
      expected.push_back(static_cast<std::uint16_t>(last[out]));
    }
    granted.resize(allocator.allocate_outputs(
        asking.data(), [&](unsigned id) { return output_of[id]; }, granted.data()));
    ASSERT_EQ(granted, expected) << "round " << round;
  }
}

TEST(DrawnVirtualChannels, EveryFreeOneIsAsLikelyAsAnyOther) {
  RandomStream random(4, RandomPurpose::test);
  constexpr unsigned kRounds = 12000;
  std::map<unsigned, unsigned> drawn;
  for (unsigned i = 0; i < kRounds; ++i) {
    std::vector<VcRequest> requests = {{3, 1, 0b1011, 0}};
    VcAllocator::draw(4, requests, random);
    ++drawn[requests[0].granted];
  }
  ASSERT_EQ(drawn.size(), 3u);
  for (const unsigned id : {4u, 5u, 7u})  // standard deviation 52
    EXPECT_NEAR(drawn[id], kRounds / 3, 210) << id;
}

TEST(DrawnVirtualChannels, HeadsThatWantTheLastOneWinEquallyOften) {
  RandomStream random(5, RandomPurpose::test);
  constexpr unsigned kRounds = 12000;
  std::map<unsigned, unsigned> winners;
  for (unsigned i = 0; i < kRounds; ++i) {
    std::vector<VcRequest> requests = {{0, 1, 0b1, 0}, {1, 1, 0b1, 0}, {9, 1, 0b1, 0}};
    VcAllocator::draw(4, requests, random);
    for (const VcRequest& r : requests)
      if (r.granted != kNoVc) ++winners[r.input];
  }
  ASSERT_EQ(winners.size(), 3u);
  for (const unsigned input : {0u, 1u, 9u}) EXPECT_NEAR(winners[input], kRounds / 3, 210) << input;
}

/// Heads of one request each, and heads that request all of their candidates at once.
TEST(DrawnVirtualChannels, GoToHeadsThatAskedForThemUntilNoneIsLeftForAnybody) {
  RandomStream random(6, RandomPurpose::test);
  for (int round = 0; round < 3000; ++round) {
    std::vector<VcRequest> requests;
    for (unsigned input = 0; input < 12; ++input)
      for (unsigned port = 0; port < 3; ++port)
        if (random.below(4) == 0)
          requests.push_back(
              {static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(port), 1 + random.below(15), 0});
    if (requests.empty()) continue;
    const std::vector<VcRequest> asked = requests;
    VcAllocator::draw(4, requests, random);
    std::set<unsigned> given;
    std::map<unsigned, unsigned> grants;  // by head
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (requests[i].granted == kNoVc) continue;
      ASSERT_EQ(requests[i].granted / 4, asked[i].port);
      ASSERT_TRUE(asked[i].vcs >> (requests[i].granted % 4) & 1);
      ASSERT_TRUE(given.insert(requests[i].granted).second);
      ASSERT_EQ(++grants[requests[i].input], 1u);
    }
    for (const VcRequest& r : asked)
      for (unsigned vc = 0; vc < 4; ++vc)
        ASSERT_TRUE(grants.contains(r.input) || !(r.vcs >> vc & 1) || given.contains(r.port * 4 + vc))
            << "head " << r.input << " waits, although " << r.port * 4 + vc << " is free";
  }
}

/// With one iteration of iSLIP and fresh pointers, both virtual channels are granted to the same head.
TEST(DrawnVirtualChannels, TwoHeadsGetTwoInTheSameCycle) {
  const auto waits = [](const char* selection, const char* name) {
    HardwareSettings hardware = one_cycle(2, "virtual-channel-inputs");
    hardware.router.vc_selection = selection;
    return std::make_unique<FabricBench>(mesh_network({3}), hardware, RoutingSettings(), name);
  };
  const auto in_turn = waits("round-robin", "in_turn"), drawn = waits("random", "drawn");
  in_turn->run(1);
  for (FabricBench* bench : {in_turn.get(), drawn.get()}) {
    for (int i = 0; i < 2; ++i) bench->fabric.network_interface(0).send(2, 4);
    bench->run(1);
    const unsigned east = structure_of<Grid>(bench->topology())->port(0, true);
    const OutputController& output = bench->fabric.router(0).output(east);
    const unsigned owned = (output.vc(0).owner != kNoVc) + (output.vc(1).owner != kNoVc);
    EXPECT_EQ(owned, bench == drawn.get() ? 2u : 1u);
    ASSERT_TRUE(bench->drain(100));
    EXPECT_EQ(bench->deliveries.size(), 2u);
  }
}

}  // namespace
}  // namespace flitmend
