// SPDX-License-Identifier: Apache-2.0
// Disha cycle by cycle: the tour of the token, a head that captures it, its message on the lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "protocols/deadlock/deadlock_counter.h"
#include "protocols/deadlock/disha/disha.h"
#include "rtl_tlm/mechanisms/deadlock_lane/deadlock_lane.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "support/line_bench.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

constexpr unsigned kTimeout = 20;

struct Capture : TokenObserver {
  Cycle cycle = kNever;
  RouterId router = 0;
  unsigned id = 0;
  void token_captured(Cycle t, RouterId r, unsigned input_id) override {
    cycle = t;
    router = r;
    id = input_id;
  }
};

/// A line of five routers; nothing gets an output virtual channel from router 2 to router 3.
struct BlockedLine : LineBench {
  explicit BlockedLine(const char* preset_name)
      : LineBench(std::make_unique<Disha>(line(), kTimeout), preset(preset_name)) {
    fabric.context().shared<TokenObservers>().push_back(&capture);
    for (unsigned vc = 0; vc < state(2).vcs(); ++vc)
      fabric.router(2).hold(east(2) * state(2).vcs() + vc, true);
  }
  static const Topology& line() {
    static const Mesh mesh({5});
    return mesh;
  }
  const LaneCounters& lane() { return fabric.context().shared<LaneCounters>(); }
  const LaneState& lane(RouterId r) { return DeadlockLane::registers(state(r)); }
  void to_capture() {
    while (capture.cycle == kNever && fabric.cycles() < 1000) step();
    ASSERT_NE(capture.cycle, kNever);
  }

  Capture capture;
};

TEST(DishaToken, GoesRoundEveryRouterOneHopPerCycle) {
  const Mesh mesh({3, 3});
  const Disha disha(mesh, kTimeout);
  FabricBench bench(mesh_network({3, 3}), preset("iq"), {}, "fabric", 1, &disha);
  constexpr unsigned kTour = 2 * (9 - 1);
  std::vector<std::pair<RouterId, PortId>> hops;
  for (Cycle t = 0; t < 2 * kTour; ++t) {
    bench.run(1);
    for (RouterId r = 0; r < 9; ++r)
      for (PortId port = 0; port < mesh.port_count(r); ++port)
        if (const Channel* const c = bench.fabric.channel(r, port);
            c && c->arriving(ControlLine::token, bench.fabric.cycles()))
          hops.emplace_back(r, port);
    ASSERT_EQ(hops.size(), t + 1) << "one token, which is on a wire after every cycle";
  }
  const std::set<std::pair<RouterId, PortId>> tour(hops.begin(), hops.begin() + kTour);
  EXPECT_EQ(tour.size(), kTour) << "every hop once";
  EXPECT_TRUE(std::equal(hops.begin(), hops.begin() + kTour, hops.begin() + kTour)) << "and again";
  std::set<RouterId> visited;
  for (const auto& hop : tour) visited.insert(hop.first);
  EXPECT_EQ(visited.size(), 9u);
}

TEST(DishaLane, TakesAMessageFromTheHeadThatHasWaitedToItsDestination) {
  BlockedLine line("iq");
  constexpr std::uint32_t kLength = 6;
  line.send(kLength);
  line.to_capture();
  EXPECT_EQ(line.lane().timeouts, 1u);
  EXPECT_EQ(line.capture.router, 2u);
  EXPECT_EQ(line.lane(2).recovering, line.capture.id);
  const Cycle c = line.capture.cycle;
  line.to(c + 1);
  EXPECT_EQ(line.state(2).route_fsm(line.capture.id), RouteFsm::lane);
  EXPECT_TRUE(line.lane(2).full) << "the head";
  EXPECT_EQ(line.fabric.check_conservation().flits_in_network, kLength);
  line.to(c + 4);
  EXPECT_TRUE(line.fabric.channel(2, line.east(2))->arrives_beside_vcs(line.fabric.cycles()))
      << "it crosses the crossbar in two cycles, and the link in one";
  EXPECT_EQ(line.fabric.check_conservation().flits_in_network, kLength);
  // The flits follow one by one: a hop takes three cycles, the way to the receiver four.
  const Cycle tail = c + 2 + 2 * 3 + (kLength - 1);
  line.to(tail - 1);
  EXPECT_EQ(line.lane(4).output, line.fabric.router(4).local_port());
  EXPECT_EQ(line.lane(2).recovering, kNoVc);
  line.to(tail);
  EXPECT_EQ(line.lane(4).output, kNoVc);
  EXPECT_TRUE(line.fabric.channel(4, line.west(4))->arriving(ControlLine::token, line.fabric.cycles()))
      << "the token goes on as the tail leaves the deadlock buffer";
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.delivered_at, tail + 4);
  EXPECT_EQ(line.bench.deliveries.front().hops, 4u);
  EXPECT_EQ(line.lane().captures, 1u);
  EXPECT_EQ(line.lane().messages, 1u);
  EXPECT_EQ(line.lane().flits, kLength);
}

class DishaLaneIn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Preset, DishaLaneIn, testing::Values("kary_ncube", "sbrp", "kns"));

TEST_P(DishaLaneIn, AMessageArrives) {
  BlockedLine line(std::string(GetParam()) == "kary_ncube" ? "kary-ncube" : GetParam());
  line.send(12);
  line.send(12, 1, 3);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 2u);
  EXPECT_EQ(line.lane().captures, line.lane().messages);
  EXPECT_GE(line.lane().flits, 12u);
}

TEST(DishaCounter, TellsDeadlocksFromLongWaits) {
  BlockedLine line("iq");
  DeadlockCounter counter(line.fabric);
  line.fabric.add_observer(static_cast<CycleObserver&>(counter));
  line.fabric.context().shared<TokenObservers>().push_back(&counter);
  line.send(6);
  line.expect_clean();
  EXPECT_EQ(line.lane().captures, 1u);
  EXPECT_EQ(counter.right_captures(), 0u) << "held output virtual channels are not a deadlock";
  EXPECT_EQ(counter.deadlocks(), 0u);
}

}  // namespace
}  // namespace flitmend
