// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace flitmend {

/// How much memory this process may still take, and what limits it.
struct MemoryLimit {
  std::uint64_t bytes = ~std::uint64_t{0};
  std::string bound;  ///< "the machine has 16 GB", "ulimit -v allows 2 GB"; empty: none is known
};

/// The tightest of the machine's memory, the limits of the process (ulimit -v, -d) and those of its control
/// groups, minus what the process has taken already. The memory of other processes does not count, because it
/// may be free again soon.
MemoryLimit memory_limit(const std::filesystem::path& proc = "/proc",
                         const std::filesystem::path& control_groups = "/sys/fs/cgroup");

/// "640 kB", "1.3 GB": two digits or more, decimal units.
std::string bytes_text(std::uint64_t bytes);

}  // namespace flitmend
