// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "contracts/entry.h"
#include "protocols/recovery/registry.h"

namespace flitmend {

/// A recovery protocol in the routers of a preset.
struct DirectedFaultCase {
  RecoveryEntry entry;
  const char* preset;
};

/// What every recovery protocol must hold to on a line of five routers, when every part of it fails at every
/// cycle of a message's life: every_directed_fault.cpp. A test program instantiates this suite for its
/// entries.
class EveryDirectedFault : public testing::TestWithParam<DirectedFaultCase> {};

/// These protocols in routers with deep and with shallow buffers. A test takes some seconds.
std::vector<DirectedFaultCase> directed_fault_cases(const std::vector<RecoveryEntry>&);

inline void PrintTo(const DirectedFaultCase& c, std::ostream* out) {
  *out << c.entry.name << ", preset " << c.preset;
}
std::string directed_fault_name(const testing::TestParamInfo<DirectedFaultCase>&);

}  // namespace flitmend
