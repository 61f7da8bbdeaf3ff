#pragma once
#include <cstdint>

namespace flitmend {

/// Calls of operator new (all forms) in this program so far. A test program that links
/// support/allocation_counter.cpp replaces the global operators.
std::uint64_t allocations();

}  // namespace flitmend
