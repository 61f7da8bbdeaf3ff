// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "testbench/scoreboard/contract.h"
#include "testbench/scoreboard/scoreboard.h"

namespace flitmend {
namespace {

Results clean() {
  Results r;
  r.messages.generated = 12;
  r.messages.delivered = 7;
  r.messages.lost = 2;
  r.messages.undeliverable = 3;
  r.flits.injected = r.flits.consumed = 60;
  return r;
}

void expect_broken(Results r, bool drained, const std::string& what) {
  judge_contract(r, drained);
  EXPECT_FALSE(r.contract.holds);
  ASSERT_EQ(r.contract.violations, 1u);
  EXPECT_EQ(r.contract.first.at(0).what, what);
  EXPECT_EQ(r.contract.first.at(0).message, std::nullopt);
}

}  // namespace

TEST(Contract, HoldsWhenEverySumComesOut) {
  for (bool drained : {true, false}) {
    Results r = clean();
    judge_contract(r, drained);
    EXPECT_TRUE(r.contract.holds);
    EXPECT_EQ(r.contract.violations, 0u);
  }
}

TEST(Contract, EverySumIsChecked) {
  Results r = clean();
  ++r.messages.generated;
  expect_broken(r, true, "13 messages generated, but 12 accounted for");
  r = clean();
  ++r.flits.injected;
  expect_broken(r, false, "61 flits injected, but 60 consumed, discarded or in the network");
  r = clean();
  r.contract.credits_missing = 3;
  expect_broken(r, false, "3 credits missing");
}

TEST(Contract, NothingMayBeLeftAfterADrain) {
  Results r = clean();
  r.messages.in_flight = 1, ++r.messages.generated;
  expect_broken(r, true, "1 messages in flight after the drain");
  r = clean();
  r.flits.in_network = 4, r.flits.injected += 4;
  expect_broken(r, true, "4 flits in the network after the drain");
  r = clean();
  r.contract.virtual_channels_not_idle = 2;
  expect_broken(r, true, "2 virtual channels not idle after the drain");
}

TEST(Contract, WithoutADrainTheNetworkMayBeFull) {
  Results r = clean();
  r.messages.in_flight = 1, ++r.messages.generated;
  r.flits.in_network = 4, r.flits.discarded = 1, r.flits.injected += 5;
  r.contract.virtual_channels_not_idle = 2;
  judge_contract(r, false);
  EXPECT_TRUE(r.contract.holds);
}

TEST(Contract, TakesTheScoreboardsViolations) {
  Scoreboard s(4, {});
  Message m;
  s.message_created(0, m);
  s.message_delivered(0, m, 0, 10);
  s.message_delivered(0, m, 0, 11);
  s.finish(20, true);
  Results r;
  s.fill(r);
  judge_contract(r, true);
  EXPECT_FALSE(r.contract.holds);
  EXPECT_EQ(r.contract.violations, 1u);
  EXPECT_EQ(r.contract.first.at(0).what, "delivered again");
  EXPECT_EQ(r.messages.duplicated, 1u);
}

}  // namespace flitmend
