// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "protocols/recovery/registry.h"

namespace flitmend {

/// A recovery protocol, and one of the groups of random fault plans that it is tried on.
struct RecoveryCase {
  RecoveryEntry entry;
  unsigned group;
};

/// What every recovery protocol must hold to, whatever it is: every_recovery_protocol.cpp tests it on random
/// fabrics with random faults. A test program instantiates this suite for its entries.
class EveryRecoveryProtocol : public testing::TestWithParam<RecoveryCase> {};

/// The first groups of these protocols. A test of a group takes some seconds.
std::vector<RecoveryCase> recovery_cases(const std::vector<RecoveryEntry>&, unsigned groups);

inline void PrintTo(const RecoveryCase& c, std::ostream* out) {
  *out << c.entry.name << ", group " << c.group;
}
std::string recovery_test_name(const testing::TestParamInfo<RecoveryCase>&);

}  // namespace flitmend
