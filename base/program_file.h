// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace flitmend {

/// The file of the program that this process runs, with symbolic links resolved. Without /proc, as in some
/// containers, it is the one that was named when the process started. Throws
/// std::filesystem::filesystem_error if that has been removed since.
std::filesystem::path program_file(const std::filesystem::path& proc = "/proc");

/// What the linker has written into this program to identify its build, as hexadecimal digits: two programs
/// with the same identity have the same code. Empty if it has written nothing.
std::string build_id();

}  // namespace flitmend
