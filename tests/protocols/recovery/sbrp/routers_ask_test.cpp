// SPDX-License-Identifier: Apache-2.0
// SBRP-0 and SBRP-1 as a whole: routers, interfaces and messages.
#include "protocols/recovery/lost_requests.h"
#include "protocols/recovery/sbrp/sbrp_line.h"

namespace flitmend {
namespace {

struct AskingCase {
  const char* protocol;
  const char* preset;
};

class RoutersAsk : public testing::TestWithParam<AskingCase> {
 protected:
  SbrpLine::Settings settings() const {
    SbrpLine::Settings s;
    s.protocol = GetParam().protocol;
    s.preset = GetParam().preset;
    return s;
  }
  bool whole() const { return settings().protocol == "sbrp-0"; }
};

TEST_P(RoutersAsk, NothingWithoutAFault) {
  SbrpLine line(settings());
  for (int i = 0; i < 10; ++i) line.fabric.network_interface(0).send(4, 12);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 10u);
  EXPECT_EQ(line.counters.control_messages, 0u);
}

// What the judge of a run without a guard needs to know: nobody asks again for these messages.
TEST_P(RoutersAsk, NeverAgainWhenTheirNodeHasDied) {
  SbrpLine line(settings());
  line.to(5);
  const LostRequests& lost = line.fabric.context().shared<LostRequests>();
  CutMessage cut;
  cut.source = 0;
  for (cut.id = 0; cut.id < 2; ++cut.id) line.fabric.network_interface(2).recovery()->message_cut(5, cut);
  EXPECT_FALSE(lost.has(0, 0));
  line.fabric.fail_router(2, true);
  EXPECT_TRUE(lost.has(0, 0));
  EXPECT_TRUE(lost.has(0, 1));
  EXPECT_FALSE(lost.has(0, 2));
  EXPECT_FALSE(lost.has(1, 0));
}

TEST_P(RoutersAsk, ForAMessageCutInTheMiddle) {
  SbrpLine line(settings());
  line.fabric.network_interface(0).send(4, 60);
  line.fail(2, 40);
  line.expect_clean();
  EXPECT_EQ(line.fates.hit, 1u);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_EQ(line.counters.requests, 1u);
  EXPECT_EQ(line.counters.retransmissions, 1u);
  // Router 1 sees the fault in cycle 41, and its node composes the request.
  EXPECT_EQ(line.sent(1, FlitKind::head), 41u + 13);
  EXPECT_EQ(line.sent(0, FlitKind::virtual_tail) == kNever, line.sent(0, FlitKind::tail) < 100);
  if (whole())
    EXPECT_EQ(line.counters.retransmitted_flits, 60u);
  else
    EXPECT_LT(line.counters.retransmitted_flits, 60u);
  // At most Max(C, A) flits come again.
  if (!whole()) {
    EXPECT_LE(line.counters.duplicate_flits, line.fabric.context().hardware.flits_between());
  }
}

TEST_P(RoutersAsk, ForEachOfAStreamOfMessages) {
  SbrpLine line(settings());
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  for (const auto& [router, at] : {std::pair<RouterId, Cycle>{2, 60}, {1, 120}, {3, 180}, {2, 240}})
    line.fail(router, at);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 20u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_GT(line.fates.hit, 3u);
}

TEST_P(RoutersAsk, WhenTheRouterOfTheSourceDies) {
  SbrpLine line(settings());
  for (int i = 0; i < 10; ++i) line.fabric.network_interface(0).send(4, 12);
  line.fail(0, 30);
  line.fail(0, 90);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 10u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

TEST_P(RoutersAsk, WhenTheRouterOfTheDestinationDies) {
  SbrpLine line(settings());
  for (int i = 0; i < 10; ++i) line.fabric.network_interface(0).send(4, 12);
  line.fail(4, 60);
  line.fail(4, 120);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 10u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

TEST_P(RoutersAsk, WhenTwoRoutersOfThePathDie) {
  SbrpLine line(settings());
  line.fabric.network_interface(0).send(4, 200);
  line.to(60);
  line.fabric.fail_router(1);
  line.fail(3, 61);
  line.fabric.repair_router(1);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

// Found by a campaign: with waits that only doubled, the guard was earlier than the fourth request.
TEST_P(RoutersAsk, OftenEnoughBeforeTheGuardIfFaultsCutTheRequests) {
  constexpr std::size_t kCut = 4;
  SbrpLine line(settings());
  line.send(8);
  while (line.fsm(2, line.west(2)) == RouteFsm::idle) line.step();
  line.fail(2, line.fabric.cycles());  // the head is lost, so the receiver has nothing to ask for
  std::vector<Cycle> requests;
  while (requests.size() < kCut) {
    line.step();
    if (line.sent(1, FlitKind::head, line.fabric.cycles() - 1) == kNever) continue;
    requests.push_back(line.fabric.cycles() - 1);
    line.fail(1, line.fabric.cycles());
  }
  EXPECT_GE(requests[1] - requests[0], 600u);
  for (std::size_t i = 2; i < kCut; ++i) {
    EXPECT_GE(requests[i] - requests[i - 1], 1000u) << i;
    EXPECT_LT(requests[i] - requests[i - 1], 1020u) << i;
  }
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.detected_losses, 0u) << "the guard had nothing to do";
}

TEST_P(RoutersAsk, OnlyForAWhileIfThereIsNoRoute) {
  SbrpLine::Settings s = settings();
  s.head_wait = 30;
  SbrpLine line(s);
  line.fabric.fail_link(1, line.east(1), false, true);
  line.fabric.network_interface(0).send(4, 12);
  line.to(3000);
  EXPECT_EQ(line.fates.undeliverable, 1u);
  EXPECT_EQ(line.counters.retransmissions, 2u);
  line.expect_clean();
}

INSTANTIATE_TEST_SUITE_P(Protocol, RoutersAsk,
                         testing::Values(AskingCase{"sbrp-0", "iq"}, AskingCase{"sbrp-0", "sbrp"},
                                         AskingCase{"sbrp-1", "iq"}, AskingCase{"sbrp-1", "sbrp"}),
                         [](const auto& param) {
                           std::string name = std::string(param.param.protocol) + "_" + param.param.preset;
                           name[4] = '_';
                           return name;
                         });

}  // namespace
}  // namespace flitmend
