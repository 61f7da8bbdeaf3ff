// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace flitmend {

/// The file of the program that this process runs, with symbolic links resolved. Without /proc, as in some
/// containers, it is the one that was named when the process started. Throws
/// std::filesystem::filesystem_error if that has been removed since.
std::filesystem::path program_file(const std::filesystem::path& proc = "/proc");

}  // namespace flitmend
