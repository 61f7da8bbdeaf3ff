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

class VectorFabricTest : public testing::TestWithParam<test::VectorCase> {};

TEST_P(VectorFabricTest, AgreesWithTheAnalysisPairByPair) {
  test::VectorFabric fabric(GetParam());
  fabric.compare(0, std::max(2u, GetParam().sets / kShare));
  EXPECT_GT(fabric.sent, 0u);
}

INSTANTIATE_TEST_SUITE_P(Networks, VectorFabricTest, testing::ValuesIn(test::kVectorCases),
                         [](const auto& c) { return test::name_of(c.param); });

}  // namespace
}  // namespace flitmend
