// SPDX-License-Identifier: Apache-2.0
// Networks of more nodes than a process has room for threads.
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class LargeNetwork : public ProgramFixture {};

// A stack of a thread is two mappings of the process, and Linux gives 65,530 of them.
TEST_F(LargeNetwork, MoreNodesThanThreadsRun) {
  EXPECT_EQ(run("network: {size: [33000]}\nrouter: {virtual_channels: 1, input_buffer: 1}\n"
                "traffic: {load: 0.01}\nsimulation: {warmup: 0, measure: 20, drain: false}",
                {"--allow-deadlock", "--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_GT(stats("o")["messages"]["generated"], 0);
}

}  // namespace
}  // namespace flitmend
