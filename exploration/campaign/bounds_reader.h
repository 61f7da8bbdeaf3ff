// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "exploration/campaign/strata.h"

namespace flitmend {

/// A campaign that another one counts.
struct CountedCampaign {
  std::string name;         ///< of its page, as the other one calls it
  std::string fingerprint;  ///< of its results; empty in pages of earlier versions
};

/// What a campaign has found, as its bounds.md says.
struct FoundBounds {
  std::string name;         ///< of the file
  std::string fingerprint;  ///< digest of the numbers: the same results have the same, in whatever file
  std::vector<CountedCampaign> counts;  ///< the earlier campaigns that it counts, and those that they count
  std::int64_t runs = 0;
  std::uint64_t messages = 0;
  std::uint64_t broken_elsewhere = 0;  ///< runs that broke the contract with no message of a stratum at fault
  std::uint64_t without_result = 0;    ///< runs whose hits are not known
  Strata strata;                       ///< `delivered` is not in the table, and 0
};

/// Reads a page that bounds_table() of this or an earlier version has written; text before it is skipped.
/// Throws ConfigurationError, with the line, if the page has no such table or its numbers do not add up.
FoundBounds parse_bounds(const std::string& page, const std::string& name);

/// The line of a page that names the campaigns it counts, without its beginning: "A/bounds.md" (0123…).
std::string counted_text(const std::vector<CountedCampaign>&);

}  // namespace flitmend
