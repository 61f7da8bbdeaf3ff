// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>

namespace flitmend {

/// Runs one task of the job array: the units that the manifest assigns to it, except those in its own
/// results. True if nothing of them is missing. Throws ConfigurationError, WriteError.
bool run_slurm_task(const std::filesystem::path& folder, std::size_t index, const std::string& version,
                    const std::atomic<bool>& stop);

}  // namespace flitmend
