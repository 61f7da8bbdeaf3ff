// SPDX-License-Identifier: Apache-2.0
#include "base/processors.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace flitmend {
namespace {

/// Of a group of version 2 ("QUOTA PERIOD" or "max PERIOD"), or of version 1, where they are two files.
std::optional<unsigned> quota_of(const std::filesystem::path& folder) {
  std::string quota;
  double period = 0;
  if (std::ifstream both(folder / "cpu.max"); !(both >> quota >> period)) {
    std::ifstream(folder / "cpu.cfs_quota_us") >> quota;
    std::ifstream(folder / "cpu.cfs_period_us") >> period;
  }
  if (quota.empty() || quota.find_first_not_of("0123456789") != quota.npos || period <= 0) return {};
  const double worth = std::stod(quota) / period;
  return static_cast<unsigned>(std::clamp(worth + 0.999, 1.0, 65536.0));
}

/// Whether a list like "cpu,cpuacct" has the controller of processors. Version 2 has an empty list.
bool has_processors(const std::string& controllers) {
  return controllers.empty() || ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::optional<unsigned> processor_quota(const std::filesystem::path& groups,
                                        const std::filesystem::path& root) {
  std::optional<unsigned> least;
  const auto take = [&](std::optional<unsigned> quota) {
    if (quota) least = std::min(*quota, least.value_or(*quota));
  };
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {  // NUMBER:CONTROLLERS:/GROUP
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!has_processors(controllers)) continue;
    // A group has the quotas of those around it, too. In a container only the innermost may be visible.
    const std::filesystem::path mounted = controllers.empty() ? root : root / controllers;
    std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();
    for (; !group.empty(); group = group.parent_path()) take(quota_of(mounted / group));
    take(quota_of(mounted));
  }
  return least;
}

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const unsigned allowed =
      sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(std::max(1, CPU_COUNT(&set))) : 1;
  return std::min(allowed, processor_quota("/proc/self/cgroup", "/sys/fs/cgroup").value_or(allowed));
}

}  // namespace flitmend
