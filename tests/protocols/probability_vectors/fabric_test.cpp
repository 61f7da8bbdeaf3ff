// SPDX-License-Identifier: Apache-2.0
#include "protocols/probability_vectors/fabric_agreement.h"

namespace flitmend {
namespace {

// A share of the sets of the long version.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint32_t kShare = 50;
#else
constexpr std::uint32_t kShare = 10;
#endif

class VectorSets : public testing::TestWithParam<test::VectorCase> {};

TEST_P(VectorSets, AgreeWithTheAnalysisPairByPair) {
  test::VectorFabric fabric(GetParam());
  fabric.compare(0, std::max(2u, GetParam().sets / kShare));
  EXPECT_GT(fabric.sent, 0u);
}

INSTANTIATE_TEST_SUITE_P(Networks, VectorSets, testing::ValuesIn(test::kVectorCases),
                         [](const auto& c) { return test::name_of(c.param); });

// Set 103 has two pairs of messages that fail, and two that loop. The protocol sends each again until it
// reaches its retry limit.
TEST(VectorFabricTest, SaysSoWithARecoveryProtocolToo) {
  test::VectorFabric fabric({5, 2, 6, 3, "sbrp-1", 16, 1});
  fabric.compare(103, 1);
  EXPECT_EQ(fabric.undeliverable, 4u);
}

}  // namespace
}  // namespace flitmend
