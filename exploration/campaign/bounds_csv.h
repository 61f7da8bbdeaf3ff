// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "exploration/campaign/strata.h"

namespace flitmend {

/// A campaign that another one counts.
struct CountedCampaign {
  std::string name;         ///< of its file, as the other one calls it
  std::string fingerprint;  ///< of its results
};

/// What a campaign has found, with the earlier campaigns that it counts.
struct FoundBounds {
  std::string name;         ///< of the file
  std::string fingerprint;  ///< digest of the numbers: the same results have the same, in whatever file
  std::vector<CountedCampaign> counts;  ///< the earlier campaigns that it counts, and those that they count
  std::int64_t runs = 0;
  std::uint64_t messages = 0;
  std::uint64_t broken_elsewhere = 0;  ///< runs that broke the contract with no message of a stratum at fault
  std::uint64_t without_result = 0;    ///< runs whose hits are not known
  Strata strata;                       ///< `delivered` is not in the file, and 0
};

/// bounds.csv: a row per stratum. Lines that begin with # have the sums, the campaigns that are counted and
/// the fingerprint.
std::string bounds_csv(const FoundBounds&);

/// Reads what bounds_csv() has written. Throws ConfigurationError, with the line, if a file is anything else,
/// or if its numbers are not those of its fingerprint.
FoundBounds parse_bounds(const std::string& csv, const std::string& name);

}  // namespace flitmend
