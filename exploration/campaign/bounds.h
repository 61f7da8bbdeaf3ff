// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exploration/sweeps/records.h"
#include "testbench/faults/hit_phase.h"
#include "testbench/statistics/hit_results.h"

namespace flitmend {

/// In the order in which a reader looks for them, not by the alphabet; phases: kHitPhases.
inline constexpr const char* kFaultParts[] = {"link", "node"};
inline constexpr const char* kFaultDurations[] = {"permanent", "transient"};
inline constexpr const char* kOverlaps[] = {"one", "at-once", "in-sequence"};

/// What a hit is counted under; the words are those of `hits` in stats.json.
struct Stratum {
  std::string protocol;
  std::string fault;
  std::string duration;
  std::string phase;
  std::string overlap;
  friend auto operator<=>(const Stratum&, const Stratum&) = default;
};

using Strata = std::map<Stratum, HitCounts>;

/// The hits of a run, from its stats.json; empty if it has none.
Strata strata_of(const std::string& protocol, const Json& stats);
void add(Strata&, const Strata& more);

/// Why no fault can hit anything in a stratum; empty if one can. The guard's acknowledgements are those that
/// are assumed.
std::string why_impossible(const Stratum&);

/// The exact one-sided upper bound of a probability of which `failures` in `trials` were seen
/// [ClopperPearson34]: with 0 failures 1 − (1 − confidence)^(1/trials). 1 without trials.
double upper_bound(std::uint64_t failures, std::uint64_t trials, double confidence);

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
