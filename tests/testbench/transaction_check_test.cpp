// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/transaction_check.h"

#include <gtest/gtest.h>

#include "support/network_on_chip_bench.h"
#include "testbench/checks/validation.h"

namespace flitmend {
namespace {

// With unlimited ejection there are no places, so requests and replies may share virtual channels.
TEST(TransactionCheck, IsAboutThePlacesThatAPlatformHas) {
  const std::string unlimited = "network_interface: {ejection: unlimited}\ntlm: {classes: shared";
  Configuration c = platform(unlimited + "}\n");
  settle_platform(c);
  EXPECT_EQ(c.tlm.target_queue, 0);
  EXPECT_EQ(check_transactions(c, nullptr).status, ExitStatus::done);
  Configuration set = platform(unlimited + ", target_queue: 4}\n");
  settle_platform(set);
  EXPECT_EQ(set.tlm.target_queue, 4);
  EXPECT_EQ(check_transactions(set, nullptr).status, ExitStatus::deadlock);
}

TEST(TransactionCheck, SeparateClassesAreProvedAndSharedOnesShowACycle) {
  const Configuration separate =
      platform("network: {topology: mesh, size: [3, 3]}\ntlm: {target_queue: 4}\n");
  const DeadlockCheck proof = check_transactions(separate, nullptr);
  EXPECT_EQ(proof.status, ExitStatus::done) << proof.verdict;
  EXPECT_NE(proof.verdict.find("2 virtual channels"), proof.verdict.npos) << proof.verdict;
  const Configuration shared = platform("network: {topology: mesh, size: [3, 3]}\ntlm: {classes: shared}\n");
  const DeadlockCheck cycle = check_transactions(shared, nullptr);
  EXPECT_EQ(cycle.status, ExitStatus::deadlock) << cycle.verdict;
  EXPECT_NE(cycle.details.find("router_0_0.east.vc0-3 waits for router_1_0.west.vc0-3, at router_1_0"),
            cycle.details.npos)
      << cycle.details;
}

}  // namespace
}  // namespace flitmend
