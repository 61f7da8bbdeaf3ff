// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend {

/// What the linker has written into this program to identify its build, as hexadecimal digits: two programs
/// with the same identity have the same code. Empty if it has written nothing.
std::string build_id();

}  // namespace flitmend
