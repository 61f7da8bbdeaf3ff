// SPDX-License-Identifier: Apache-2.0
#include "base/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace flitmend {
namespace {

class Limits : public testing::Test {
 protected:
  Limits() : root_(std::filesystem::temp_directory_path() / ("flitmend_limits" + std::to_string(getpid()))) {
    write("proc/meminfo", "MemTotal:       1000000 kB\nMemFree:            5 kB\n");
    write("proc/self/statm", "50000 1000 0 0 0 2000 0\n");
  }
  ~Limits() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = root_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  MemoryLimit limit() const { return memory_limit(root_ / "proc", root_ / "cgroup"); }
  static std::uint64_t pages(std::uint64_t count) {
    return count * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

  std::filesystem::path root_;
};

TEST_F(Limits, TheMachineAloneLessWhatIsResident) {
  EXPECT_EQ(limit().bytes, 1'024'000'000 - pages(1000));
  EXPECT_EQ(limit().bound, "the machine has 1.0 GB");
}

TEST_F(Limits, ControlGroupsOfBothVersionsAndThoseTheyAreIn) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("cgroup/memory.max", "max\n");
  write("cgroup/outer/memory.max", "500000000\n");
  write("cgroup/outer/inner/memory.max", "700000000\n");
  EXPECT_EQ(limit().bytes, 500'000'000 - pages(1000));
  EXPECT_EQ(limit().bound, "the control group allows 500 MB");
  write("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/b\n");
  write("cgroup/memory/b/memory.limit_in_bytes", "400000000\n");
  EXPECT_EQ(limit().bytes, 400'000'000 - pages(1000));
}

TEST_F(Limits, TheProcessesOwn) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes more memory than this limit";
#endif
  const rlimit small{600'000'000, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &small), 0);
  EXPECT_EQ(limit().bytes, 600'000'000 - pages(2000));
  EXPECT_EQ(limit().bound, "ulimit -d allows 600 MB");
}

TEST_F(Limits, WhatIsTakenAlreadyLeavesNothing) {
  write("proc/self/cgroup", "0::/\n");
  write("cgroup/memory.max", "1000\n");
  EXPECT_EQ(limit().bytes, 0u);
}

TEST(MemoryLimit, OfThisProcess) {
  const MemoryLimit limit = memory_limit();
  EXPECT_GT(limit.bytes, 1'000'000u);
  EXPECT_NE(limit.bound, "");
}

TEST(BytesText, HasTwoDigitsAndAUnit) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(123'456'789), "123 MB");
  EXPECT_EQ(bytes_text(9'990'000'000), "9.9 GB");
  EXPECT_EQ(bytes_text(~std::uint64_t{0}), "18 EB");
}

}  // namespace
}  // namespace flitmend
