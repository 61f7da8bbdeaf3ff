// SPDX-License-Identifier: Apache-2.0
// Switches have no network interface: they hand their requests to nodes next to them.
#include "protocols/recovery/switch_requests.h"

#include <gtest/gtest.h>

#include "rtl_tlm/hierarchy/register_objects.h"
#include "support/fabric_bench.h"
#include "support/recording_ends.h"

namespace flitmend {
namespace {

constexpr RouterId kSwitch = 4;
constexpr unsigned kHeadWait = 20;

RoutingSettings hybrid_dor() {
  RoutingSettings routing;
  routing.algorithm = "hybrid-dor";
  return routing;
}

/// Nodes 0 to 3 on one switch, whose port c leads to node c. A message goes from 0 to 3.
struct StarBench {
  RecoveryLog log;
  RecordingProtocol protocol{kHeadWait, log};
  FabricBench bench{kns_network(4, 1), HardwareParameters::from(preset("iq")), hybrid_dor(), "fabric", 1,
                    &protocol};
  Fabric& fabric = bench.fabric;

  explicit StarBench(std::uint32_t length = 40) {
    bench.run(1);
    fabric.network_interface(0).send(3, length);
  }
  void to(Cycle t) {
    while (fabric.cycles() <= t) bench.run(1);
  }
  /// Router 3 fails after cycle 30, in the middle of the message. The switch sees that in cycle 31.
  void cut() {
    to(30);
    fabric.fail_router(3);
  }
};

/// First words leave in the cycle in which the fault is seen; the link takes one cycle.
constexpr Cycle kSeen = 31, kHandedOver = kSeen + kRequestWords;

}  // namespace

TEST(SwitchRequests, WordsSayWhatTheRequestNeeds) {
  const CutMessage all{.source = (1u << 20) - 1,
                       .id = 0xfffffffe,
                       .first = 65535,
                       .count = 65536,
                       .sub_message = 0xfffd,
                       .no_route = true};
  EXPECT_EQ(from_words(to_words(all)), all);
  for (const CutMessage& one :
       {CutMessage{.source = 0x81234}, CutMessage{.id = 0x56789}, CutMessage{.first = 0x1abcd},
        CutMessage{.count = 0x1cdef}, CutMessage{.sub_message = 0x4321}, CutMessage{.no_route = true}})
    EXPECT_EQ(from_words(to_words(one)), one);
}

TEST(SwitchRequests, ANodeNextToTheSwitchAsks) {
  StarBench star;
  star.cut();
  star.to(kHandedOver - 1);
  EXPECT_TRUE(star.log.cuts.empty());
  EXPECT_FALSE(star.fabric.quiet());
  star.to(kHandedOver);
  ASSERT_EQ(star.log.cuts.size(), 1u);
  EXPECT_EQ(star.log.cuts[0].t, kHandedOver);
  EXPECT_EQ(star.log.cuts[0].at, 1u);
  const CutMessage& cut = star.log.cuts[0].message;
  EXPECT_EQ(cut.source, 0u);
  EXPECT_EQ(cut.id, 0u);
  EXPECT_FALSE(cut.no_route);
  EXPECT_GT(cut.count, 10u) << "flits that had left the switch";
  EXPECT_LT(cut.count, 30u);
  star.to(60);
  star.fabric.repair_router(3);
  EXPECT_TRUE(star.bench.drain(1000));
  EXPECT_EQ(star.log.cuts.size(), 1u);
}

TEST(SwitchRequests, RegistersAreBelowTheRecoveryUnit) {
  StarBench star;
  const auto unit_of = [&](RouterId r) {
    return star.fabric.name() + ("." + star.fabric.topology().router_name(r)) + ".recovery";
  };
  const auto value = [&](RouterId r, const char* name) {
    const auto* const object =
        dynamic_cast<const RegisterObject*>(sc_core::sc_find_object((unit_of(r) + "." + name).c_str()));
    EXPECT_TRUE(object) << unit_of(r) << "." << name;
    return object ? object->value() : RegisterValue();
  };
  star.bench.run(1);
  ASSERT_TRUE(sc_core::sc_find_object(unit_of(kSwitch).c_str()));
  EXPECT_STREQ(sc_core::sc_find_object(unit_of(kSwitch).c_str())->kind(), "flitmend_recovery_unit");
  EXPECT_FALSE(sc_core::sc_find_object((unit_of(1) + ".requests").c_str())) << "nodes have none";
  star.cut();
  EXPECT_EQ(value(kSwitch, "requests"), 0u);
  EXPECT_EQ(value(kSwitch, "request.taker"), std::nullopt);
  star.to(kSeen + 2);
  EXPECT_EQ(value(kSwitch, "requests"), 1u);
  EXPECT_EQ(value(kSwitch, "request.taker"), 1u);
  EXPECT_EQ(value(kSwitch, "request.words"), 3u);
  EXPECT_EQ(value(1, "requests_arriving"), 1u);
  EXPECT_EQ(value(2, "requests_arriving"), 0u);
  star.to(kHandedOver + 1);
  EXPECT_EQ(value(kSwitch, "requests"), 0u);
  EXPECT_EQ(value(kSwitch, "request.last_taker"), 1u);
  EXPECT_EQ(value(1, "requests_arriving"), 0u);
}

// In every cycle until the last word has arrived, and in the next one, when it is too late.
class SwitchRequestsWhile : public testing::TestWithParam<Cycle> {};
INSTANTIATE_TEST_SUITE_P(Cycle, SwitchRequestsWhile, testing::Range(kSeen, kHandedOver + 1));

TEST_P(SwitchRequestsWhile, AnotherNodeAsksIfTheFirstOneDies) {
  const Cycle dies = GetParam();
  StarBench star;
  star.cut();
  star.to(dies);
  star.fabric.fail_router(1);
  star.to(100);
  star.fabric.repair_router(1);
  star.fabric.repair_router(3);
  EXPECT_TRUE(star.bench.drain(1000));
  ASSERT_EQ(star.log.cuts.size(), 1u);
  EXPECT_EQ(star.log.cuts[0].at, dies < kHandedOver ? 2u : 1u);
  EXPECT_EQ(star.log.cuts[0].message.source, 0u);
}

TEST(SwitchRequests, AfterAResetTheTurnsBeginAgain) {
  RecoveryLog log;
  RecordingProtocol protocol{kHeadWait, log};
  sc_core::sc_signal<bool> reset("reset");
  FabricBench bench(kns_network(4, 1), preset("iq"), hybrid_dor(), "fabric", 1, &protocol);
  bench.fabric.reset(reset);
  for (std::size_t time = 1; time <= 2; ++time) {
    bench.run(1);
    bench.fabric.network_interface(0).send(3, 40);
    bench.run(30);
    bench.fabric.fail_router(3);
    bench.run(30);
    bench.fabric.repair_router(3);
    ASSERT_EQ(log.cuts.size(), time);
    EXPECT_EQ(log.cuts.back().at, 1u);
    reset = true;
    bench.run(3);
    reset = false;
  }
}

TEST(SwitchRequests, ARequestWaitsUntilSomebodyIsThere) {
  StarBench star;
  star.to(30);
  for (NodeId node = 0; node < 4; ++node) star.fabric.fail_link(node, 0);
  star.to(60);
  ASSERT_EQ(star.log.cuts.size(), 1u) << "node 0 knows by itself";
  EXPECT_EQ(star.log.cuts[0].at, 0u);
  star.fabric.repair_link(2, 0);
  star.to(80);
  ASSERT_EQ(star.log.cuts.size(), 2u);
  EXPECT_EQ(star.log.cuts[1].at, 2u);
}

TEST(SwitchRequests, AHeadThatWaitsTooLongAtASwitchIsAskedFor) {
  StarBench star;
  star.fabric.fail_router(3);
  star.to(kHeadWait + 60);
  ASSERT_EQ(star.log.cuts.size(), 1u);
  EXPECT_EQ(star.log.cuts[0].at, 1u);
  EXPECT_TRUE(star.log.cuts[0].message.no_route);
  star.fabric.repair_router(3);
  EXPECT_TRUE(star.bench.drain(1000));
}

TEST(SwitchRequests, DieWithTheirSwitch) {
  StarBench star;
  star.cut();
  star.to(kSeen + 2);
  star.fabric.fail_router(kSwitch);
  star.to(60);
  star.fabric.repair_router(kSwitch);
  star.fabric.repair_router(3);
  EXPECT_TRUE(star.bench.drain(1000));
  ASSERT_EQ(star.log.cuts.size(), 1u) << "of node 0, before the switch";
  EXPECT_EQ(star.log.cuts[0].at, 0u);
}

}  // namespace flitmend
