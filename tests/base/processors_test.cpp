// SPDX-License-Identifier: Apache-2.0
#include "base/processors.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>

namespace flitmend {
namespace {

class ProcessorQuota : public testing::Test {
 protected:
  ~ProcessorQuota() override { std::filesystem::remove_all(root_); }
  void write(const std::filesystem::path& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::optional<unsigned> quota() const { return processor_quota(root_ / "groups", root_); }

  const std::filesystem::path root_ =
      std::filesystem::path(testing::TempDir()) / ("flitmend_quota_" + std::to_string(getpid()));
};

TEST_F(ProcessorQuota, IsTheLeastOfTheGroupsAroundTheProcess) {
  EXPECT_EQ(quota(), std::nullopt) << "no control groups";
  write("groups", "0::/user/job\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("user/job/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("user/cpu.max", "350000 100000\n");
  EXPECT_EQ(quota(), 4u) << "3.5 processors";
  write("user/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2u);
  write("user/job/cpu.max", "10000 100000\n");
  EXPECT_EQ(quota(), 1u);
}

TEST_F(ProcessorQuota, IsReadInVersionOneToo) {
  write("groups", "5:memory:/job\n4:cpu,cpuacct:/job\n");
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(quota(), 3u);
}

TEST(Processors, AreThoseOfTheAffinityMask) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_LE(processors(), static_cast<unsigned>(CPU_COUNT(&before)));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(processors(), 1u);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace flitmend
