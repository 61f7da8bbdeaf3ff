// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// Heap allocations in this program so far, on any thread. A test program that links
/// support/allocation_counter.cpp counts those of all its libraries: malloc and its relatives, and so
/// operator new. Under a sanitizer, or with a C library other than glibc, it counts only operator new.
std::uint64_t allocations();

/// Prints the stacks of the next few allocations to standard error, where supported; 0: no more.
void show_next_allocations(unsigned count);

}  // namespace flitmend
