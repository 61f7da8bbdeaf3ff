// SPDX-License-Identifier: Apache-2.0
#include "protocols/probability_vectors/fabric_agreement.h"

namespace flitmend {
namespace {

class AllVectorSets : public testing::TestWithParam<test::VectorCase> {};

TEST_P(AllVectorSets, AgreeWithTheAnalysisPairByPair) {
  test::VectorFabric fabric(GetParam());
  fabric.compare(0, GetParam().sets);
  RecordProperty("sets", static_cast<int>(GetParam().sets));
  RecordProperty("detours", std::to_string(fabric.detours));
  RecordProperty("failed", std::to_string(fabric.failed));
  RecordProperty("looping", std::to_string(fabric.looping));
  // Enough of what the comparison is about has been there.
  EXPECT_GT(fabric.detours, GetParam().sets);
  EXPECT_GT(fabric.failed + fabric.looping, 0u);
  EXPECT_GT(fabric.undeliverable, 0u);
}

// 1060 sets of faults.
INSTANTIATE_TEST_SUITE_P(Networks, AllVectorSets, testing::ValuesIn(test::kVectorCases),
                         [](const auto& c) { return test::name_of(c.param); });

}  // namespace
}  // namespace flitmend
