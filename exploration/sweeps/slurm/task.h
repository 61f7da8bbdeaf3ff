// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>

namespace flitmend {

/// What one task of the job array does: the units that the manifest gives it, as far as its own results do
/// not have them. True where nothing of them is missing. Throws ConfigurationError, WriteError.
bool run_slurm_task(const std::filesystem::path& folder, std::size_t index, const std::string& version,
                    const std::atomic<bool>& stop);

}  // namespace flitmend
