// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exploration/campaign/bounds.h"
#include "exploration/campaign/campaign.h"
#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/reader.h"

namespace flitmend {

/// Chooses the runs of a campaign, round by round. A combination of hardware, faults and protocol gets more
/// runs if some stratum lacks hits, and no other combination hits that stratum much more often per simulated
/// cycle. A round depends only on the rounds before it, so a campaign that is resumed chooses the same
/// runs.
class CampaignPlan {
 public:
  /// The arguments must outlive this.
  CampaignPlan(const Campaign&, const SweepPlan&);

  /// Counts the results of the round before, then returns the units of the next one; none if the campaign is
  /// complete. Every unit of the round before must be recorded.
  std::vector<std::int64_t> next(const SweepReader&);
  /// Counts the finished runs of a round that was stopped. The campaign ends here.
  void count_stopped(const SweepReader&);

  /// Hits of this campaign and of the earlier ones that it counts.
  const Strata& strata() const { return total_; }
  std::int64_t rounds() const { return rounds_; }
  /// Runs of this campaign.
  std::int64_t runs() const { return runs_; }
  std::uint64_t messages() const { return messages_; }  ///< of these runs
  /// Strata that are to have enough hits, and those that have.
  std::size_t wanted() const;
  std::size_t complete() const;
  /// Runs of this campaign that broke the contract with no message of a stratum at fault.
  std::uint64_t broken_elsewhere() const { return broken_elsewhere_; }
  /// Runs of this campaign without a result, by how they ended: killed, too slow, refused. Their hits are
  /// unknown.
  const std::map<PointStatus, std::uint64_t>& without_result() const { return without_result_; }

 private:
  struct Combination {
    std::string protocol;
    std::int64_t runs = 0;
    double cost = 0;  ///< of all its runs, in idle simulated cycles: never the time of a host
    Strata strata;
  };
  void count(const SweepReader&, std::int64_t unit);
  void count_without_result(PointStatus);
  /// Runs that each combination needs, next to those it has had.
  std::vector<std::int64_t> needs() const;
  static double cost_of_run(const Combination& c) { return c.cost / static_cast<double>(c.runs); }
  /// Hits of a stratum per cost of a combination; 0 if it may have no more runs.
  double yield(const Combination&, const Stratum&) const;

  const Campaign& campaign_;
  std::vector<Combination> combinations_;
  std::vector<std::int64_t> round_;  ///< units of the current round
  Strata total_;
  std::int64_t rounds_ = 0;
  std::int64_t runs_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t broken_elsewhere_ = 0;
  std::map<PointStatus, std::uint64_t> without_result_;
};

/// What the campaign has found, with the earlier campaigns that it counts.
FoundBounds found_bounds(const Campaign&, const CampaignPlan&);

/// The same as a page, bounds.md: what was run, and a table of the strata with their hits,
/// failures and bounds. The same results give the same bytes.
std::string bounds_table(const Campaign&, const CampaignPlan&);

}  // namespace flitmend
