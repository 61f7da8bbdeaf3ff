// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// Requests for heap memory in this program so far, on any thread. A test program that links
/// support/allocation_counter.cpp counts those of all its libraries: malloc and its relatives, so operator
/// new too; under a sanitizer, or with another C library than glibc, operator new alone.
std::uint64_t allocations();

/// From now on the stacks of the next few requests go to standard error, where that can be had; 0: no more.
void show_next_allocations(unsigned count);

}  // namespace flitmend
