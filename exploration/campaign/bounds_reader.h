// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "exploration/campaign/strata.h"

namespace flitmend {

/// What a campaign has found, as its bounds.md says.
struct FoundBounds {
  std::string name;                 ///< of the file
  std::vector<std::string> counts;  ///< files of the earlier campaigns that it counts
  std::int64_t runs = 0;
  std::uint64_t messages = 0;
  std::uint64_t broken_elsewhere = 0;  ///< runs that broke the contract with no message of a stratum at fault
  Strata strata;                       ///< `delivered` is not in the table, and 0
};

/// Reads a page that bounds_table() has written; text before it is skipped. Throws ConfigurationError, with
/// the line, if the page has no such table or its numbers do not add up.
FoundBounds parse_bounds(const std::string& page, const std::string& name);

}  // namespace flitmend
