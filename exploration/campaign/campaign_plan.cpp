// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign_plan.h"

#include <algorithm>
#include <cmath>

namespace flitmend {
namespace {

constexpr std::int64_t kFirstRuns = 2;  // of each combination: shows which strata it hits
constexpr double kWorthwhile =
    2;  // a combination is used unless another yields this many times more hits per unit of cost
// What a run costs besides its cycles, in simulated cycles: process and elaboration, and its flits. Fitted to
// the CPU times of 70,000 runs on networks of 49 and 64 nodes.
constexpr double kStart = 2000;
constexpr double kFlitHop = 1.0 / 6;

std::string protocol_of(const std::vector<PointSetting>& settings) {
  for (const PointSetting& setting : settings)
    if (setting.key == "recovery.protocol") return setting.value.get<std::string>();
  return {};
}

}  // namespace

CampaignPlan::CampaignPlan(const Campaign& campaign, const SweepPlan& plan) : campaign_(campaign) {
  const std::int64_t combinations = plan.units() / campaign.runs;
  for (std::int64_t unit = 0; unit < combinations; ++unit)
    combinations_.push_back({protocol_of(plan.settings(unit)), 0, 0, {}});
  for (const FoundBounds& earlier : campaign.earlier) add(total_, earlier.strata);
}

void CampaignPlan::count(const SweepReader& reader, std::int64_t unit) {
  Combination& combination = combinations_[static_cast<std::size_t>(unit) % combinations_.size()];
  ++runs_;
  const std::optional<Json> stats = reader.stats(unit);
  if (!stats) {
    if (const auto run = reader.point(unit)) count_without_result(run->status);
    return;
  }
  const Strata strata = strata_of(combination.protocol, *stats);
  add(combination.strata, strata);
  const Json& simulation = (*stats)["simulation"];
  combination.cost +=
      kStart + simulation["cycles"].get<double>() + kFlitHop * simulation["flit_hops"].get<double>();
  add(total_, strata);
  messages_ += (*stats)["messages"]["generated"].get<std::uint64_t>();
  const bool told =
      std::any_of(strata.begin(), strata.end(), [](const auto& s) { return s.second.failed > 0; });
  broken_elsewhere_ += !told && !(*stats)["contract"]["holds"].get<bool>();
}

void CampaignPlan::count_without_result(PointStatus status) {
  if (status == PointStatus::contract_broken)
    ++broken_elsewhere_;
  else
    ++without_result_[status];
}

double CampaignPlan::yield(const Combination& c, const Stratum& stratum) const {
  const auto found = c.strata.find(stratum);
  if (found == c.strata.end() || c.runs >= campaign_.runs) return 0;
  return static_cast<double>(found->second.hits) / c.cost;
}

std::vector<std::int64_t> CampaignPlan::needs() const {
  std::vector<std::int64_t> needs(combinations_.size(), 0);
  if (runs_ == 0) {
    needs.assign(combinations_.size(), std::min(kFirstRuns, campaign_.runs));
    return needs;
  }
  const auto enough = static_cast<std::uint64_t>(campaign_.hits);
  std::vector<double> yields(combinations_.size());
  for (const auto& [stratum, all] : total_) {
    if (all.hits >= enough || !campaign_.wants(stratum)) continue;
    for (std::size_t c = 0; c < combinations_.size(); ++c) yields[c] = yield(combinations_[c], stratum);
    const double least = *std::max_element(yields.begin(), yields.end()) / kWorthwhile;
    if (least <= 0) continue;
    // Hits that one more run of each of them gives.
    double per_round = 0;
    for (std::size_t c = 0; c < combinations_.size(); ++c)
      if (yields[c] >= least) per_round += yields[c] * cost_of_run(combinations_[c]);
    const auto runs =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(enough - all.hits) / per_round));
    for (std::size_t c = 0; c < combinations_.size(); ++c)
      if (yields[c] >= least) needs[c] = std::max(needs[c], runs);
  }
  // An estimate from few runs is poor: at most as many as there were.
  for (std::size_t c = 0; c < combinations_.size(); ++c)
    needs[c] = std::min({needs[c], combinations_[c].runs, campaign_.runs - combinations_[c].runs});
  return needs;
}

std::vector<std::int64_t> CampaignPlan::next(const SweepReader& reader) {
  for (const std::int64_t unit : round_) count(reader, unit);
  round_.clear();
  std::vector<std::int64_t> more = needs();
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
    if (reader.point(unit)) count(reader, unit);
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
