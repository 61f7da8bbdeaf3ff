// SPDX-License-Identifier: Apache-2.0
#include "topologies/fault_set.h"

#include <gtest/gtest.h>

#include "topologies/mesh.h"

namespace flitmend {

TEST(FaultSet, AFaultyRouterBlocksTheChannelsToAndFromIt) {
  const Mesh mesh({3, 3});
  FaultSet faults(mesh);
  EXPECT_FALSE(faults.blocked(3, 0));
  EXPECT_TRUE(faults.blocked(3, 1)) << "the edge";
  faults.fail_router(4);
  EXPECT_TRUE(faults.blocked(3, 0));
  EXPECT_TRUE(faults.blocked(4, 0));
  EXPECT_FALSE(faults.channel_faulty(3, 0));
  EXPECT_FALSE(faults.blocked(3, 2));
  faults.repair_router(4);
  EXPECT_FALSE(faults.blocked(3, 0));
}

TEST(FaultSet, LinksFailBothWaysChannelsOneWay) {
  const Mesh mesh({3, 3});
  FaultSet faults(mesh);
  faults.fail_link(0, 0);
  EXPECT_TRUE(faults.blocked(0, 0));
  EXPECT_TRUE(faults.blocked(1, 1));
  EXPECT_EQ(faults.count(), 2u);
  faults.repair_channel(1, 1);
  EXPECT_FALSE(faults.blocked(1, 1));
  faults.fail_channel(0, 0);
  EXPECT_EQ(faults.count(), 1u) << "failing twice marks once";
  faults.repair_link(0, 0);
  EXPECT_EQ(faults.count(), 0u);
}

TEST(FaultSet, WholeLinksHaveBothChannelsOfEachThatIsFaulty) {
  const Mesh mesh({3, 3});
  FaultSet faults(mesh);
  faults.fail_channel(0, 0);
  faults.fail_router(8);
  const FaultSet whole = faults.with_whole_links();
  EXPECT_TRUE(whole.channel_faulty(0, 0));
  EXPECT_TRUE(whole.channel_faulty(1, 1));
  EXPECT_TRUE(whole.router_faulty(8));
  EXPECT_EQ(whole.count(), 3u);
  EXPECT_FALSE(faults.channel_faulty(1, 1));
}

}  // namespace flitmend
