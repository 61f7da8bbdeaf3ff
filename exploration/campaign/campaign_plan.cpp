// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign_plan.h"

#include <algorithm>
#include <cmath>

namespace flitmend {
namespace {

constexpr std::int64_t kFirstRuns = 2;  // of each combination: shows which strata it hits

std::string protocol_of(const std::vector<PointSetting>& settings) {
  for (const PointSetting& setting : settings)
    if (setting.key == "recovery.protocol") return setting.value.get<std::string>();
  return {};
}

}  // namespace

CampaignPlan::CampaignPlan(const Campaign& campaign, const SweepPlan& plan) : campaign_(campaign) {
  const std::int64_t combinations = plan.units() / campaign.runs;
  for (std::int64_t unit = 0; unit < combinations; ++unit)
    combinations_.push_back({protocol_of(plan.settings(unit)), 0, {}});
}

void CampaignPlan::count(const SweepReader& reader, std::int64_t unit) {
  Combination& combination = combinations_[static_cast<std::size_t>(unit) % combinations_.size()];
  ++runs_;
  const std::optional<Json> stats = reader.stats(unit);
  if (!stats) return;
  const Strata strata = strata_of(combination.protocol, *stats);
  add(combination.strata, strata);
  add(total_, strata);
  messages_ += (*stats)["messages"]["generated"].get<std::uint64_t>();
  const bool told =
      std::any_of(strata.begin(), strata.end(), [](const auto& s) { return s.second.failed > 0; });
  broken_elsewhere_ += !told && !(*stats)["contract"]["holds"].get<bool>();
}

std::int64_t CampaignPlan::need(const Combination& combination) const {
  if (combination.runs == 0) return kFirstRuns;
  std::int64_t most = 0;
  for (const auto& [stratum, own] : combination.strata) {
    const std::uint64_t hits = total_.at(stratum).hits;
    const auto enough = static_cast<std::uint64_t>(campaign_.hits);
    if (hits >= enough || own.hits == 0 || !campaign_.wants(stratum)) continue;
    // Hits that one more run of every combination gives.
    double per_round = 0;
    for (const Combination& c : combinations_)
      if (const auto found = c.strata.find(stratum); found != c.strata.end() && c.runs < campaign_.runs)
        per_round += static_cast<double>(found->second.hits) / static_cast<double>(c.runs);
    if (per_round > 0)
      most = std::max(most,
                      static_cast<std::int64_t>(std::ceil(static_cast<double>(enough - hits) / per_round)));
  }
  // An estimate from few runs is poor: at most as many as there were.
  return std::min(most, combination.runs);
}

std::vector<std::int64_t> CampaignPlan::next(const SweepReader& reader) {
  for (const std::int64_t unit : round_) count(reader, unit);
  round_.clear();
  std::vector<std::int64_t> more;
  for (const Combination& combination : combinations_)
    more.push_back(std::min(need(combination), campaign_.runs - combination.runs));
  for (std::size_t c = 0; c < combinations_.size(); ++c)
    for (; more[c] > 0; --more[c], ++combinations_[c].runs)
      round_.push_back(combinations_[c].runs * static_cast<std::int64_t>(combinations_.size()) +
                       static_cast<std::int64_t>(c));
  std::sort(round_.begin(), round_.end());
  rounds_ += !round_.empty();
  return round_;
}

void CampaignPlan::count_stopped(const SweepReader& reader) {
  for (const std::int64_t unit : round_)
    if (reader.stats(unit)) count(reader, unit);
  round_.clear();
}

std::size_t CampaignPlan::wanted() const {
  return static_cast<std::size_t>(
      std::count_if(total_.begin(), total_.end(), [&](const auto& s) { return campaign_.wants(s.first); }));
}

std::size_t CampaignPlan::complete() const {
  return static_cast<std::size_t>(std::count_if(total_.begin(), total_.end(), [&](const auto& s) {
    return campaign_.wants(s.first) && s.second.hits >= static_cast<std::uint64_t>(campaign_.hits);
  }));
}

}  // namespace flitmend
