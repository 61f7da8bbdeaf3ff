// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

IntermediateList list_of(std::initializer_list<std::uint32_t> nodes) {
  IntermediateList list;
  for (const std::uint32_t node : nodes) list.nodes[list.count++] = node;
  return list;
}

}  // namespace

TEST(IntermediateHead, DropsTheAddressOfEachNodeThatItPasses) {
  const IntermediateHead head(KnsShape(16, 3), 3);
  EXPECT_EQ(head.bits(), 3u + 2 + 3 * 12);  // I = 0 … 3 or none, segment 0 … 3, three addresses
  std::uint64_t h = head.encode(list_of({4095, 0, 17}));
  EXPECT_EQ(head.left(h), 3u);
  EXPECT_EQ(head.segment(h), 0u);
  EXPECT_EQ(head.next(h), 4095u);
  h = head.passed(h);
  EXPECT_EQ(head.left(h), 2u);
  EXPECT_EQ(head.segment(h), 1u);
  EXPECT_EQ(head.next(h), 0u);
  h = head.passed(h);
  EXPECT_EQ(head.next(h), 17u);
  h = head.passed(h);
  EXPECT_EQ(head.left(h), 0u);
  EXPECT_EQ(head.segment(h), 3u);
  EXPECT_FALSE(head.unreachable(h));
}

TEST(IntermediateHead, IsZeroForThePlainPath) {
  const IntermediateHead head(KnsShape(2, 1), 0);
  EXPECT_EQ(head.encode({}), 0u);
  EXPECT_FALSE(head.unreachable(0));
  EXPECT_EQ(IntermediateHead(KnsShape(32, 2), 2).encode({}), 0u);
}

TEST(IntermediateHead, SaysThatThereIsNoChain) {
  IntermediateList none;
  none.reachable = false;
  for (const unsigned most : {0u, 1u, 2u, 3u, 8u}) {
    const IntermediateHead head(KnsShape(4, 2), most);
    EXPECT_TRUE(head.unreachable(head.encode(none))) << most;
  }
}

// The largest network that 64 bits hold with two intermediates, and with eight.
TEST(IntermediateHead, FillsTheWord) {
  const IntermediateHead head(KnsShape(128, 1), 8);
  EXPECT_EQ(head.bits(), 4u + 4 + 8 * 7);
  std::uint64_t h = head.encode(list_of({127, 1, 126, 2, 125, 3, 124, 4}));
  for (const std::uint32_t node : {127u, 1u, 126u, 2u, 125u, 3u, 124u, 4u}) {
    EXPECT_EQ(head.next(h), node);
    h = head.passed(h);
  }
  EXPECT_EQ(head.segment(h), 8u);
}

}  // namespace flitmend
