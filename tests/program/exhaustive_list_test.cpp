// SPDX-License-Identifier: Apache-2.0
// The long list of single faults.
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class ExhaustiveList : public ProgramFixture {};

TEST_F(ExhaustiveList, OfSingleFaultsFindsNoFailure) {
  EXPECT_EQ(start({"campaign", "--exhaustive",
                   std::string(FLITMEND_SOURCE_DIR) + "/examples/exhaustive-single.yaml", "--quiet", "--out",
                   folder_ / "o"}),
            0)
      << out_ << err_;
  EXPECT_NE(out_.find("| all |"), out_.npos) << out_;
  EXPECT_EQ(out_.find("failures/"), out_.npos) << out_;
}

}  // namespace
}  // namespace flitmend
