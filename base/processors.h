// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>

#include "base/language.h"

namespace flitmend {

/// Processors that this process may use, at least 1: those of its affinity mask, but no more than the quota
/// of its control groups is worth.
unsigned processors();

/// The quota of a process in processors, rounded up; none: there is no limit, or no control groups. `groups`:
/// the file that names its groups, /proc/self/cgroup. `root`: the folder where they are, /sys/fs/cgroup.
std::optional<unsigned> processor_quota(const std::filesystem::path& groups,
                                        const std::filesystem::path& root);

}  // namespace flitmend
