// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// Section `exhaustive` of a campaign file: the faults that a search tries, each alone or in pairs, at every
/// cycle from the first to that in which the fault-free network is empty again.
struct FaultSpace {
  std::int64_t faults = 1;  ///< per case: 1, or 2: every fault, and every pair
  std::vector<Duration> durations = {{1}, {2}, {10}, {}};
  std::int64_t window = 40;  ///< cycles from the first fault of a pair to the second, at most
  std::vector<std::string> parts = {"router", "link", "channel"};
  /// A state in which all second faults have been tried is not tried again: its cases count as before.
  bool merge = true;
  /// Of the states that need not be tried, one in that many is tried again, and must end as before.
  std::int64_t verified = 1000;
  /// For tests of the search: "protocols" or "repairs" are left out of the comparison of states, though they
  /// matter. No file can say so.
  std::string omitted{};
  /// Cycles after the last fault and repair in which a network must become empty.
  std::int64_t patience = 400'000;
  /// A deadlock that the watchdog finds does not count as a failure.
  bool allow_deadlock = false;

  bool has(const char* part) const;
  friend bool operator==(const FaultSpace&, const FaultSpace&) = default;
};

nlohmann::ordered_json json_of(const FaultSpace&);
/// Of what json_of() gave. Throws nlohmann::json::exception.
FaultSpace fault_space_of(const nlohmann::ordered_json&);

}  // namespace flitmend
