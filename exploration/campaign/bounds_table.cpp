// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign_plan.h"

#include <set>

#include "base/table.h"
#include "base/text.h"
#include "exploration/campaign/bounds.h"

namespace flitmend {
namespace {

Table table_of_strata() {
  return {.columns = {{"protocol"}, {"fault"}, {"duration"}, {"phase"}, {"overlap"}}};
}

std::vector<std::string> row(const Stratum& s) {
  return {s.protocol, s.fault, s.duration, s.phase, s.overlap};
}

std::vector<std::string> row(const Stratum& s, const HitCounts& c, const Campaign& campaign) {
  const bool enough = !campaign.wants(s) || c.hits >= static_cast<std::uint64_t>(campaign.hits);
  std::vector<std::string> cells = row(s);
  cells.push_back(formatted("%1%%2%", c.hits, enough ? "" : "*"));
  for (const std::uint64_t count : {c.lost, c.undeliverable, c.guard_repaired, c.in_flight, c.failed})
    cells.push_back(std::to_string(count));
  cells.push_back(formatted("%.2g", upper_bound(c.failed + c.in_flight, c.hits, campaign.confidence)));
  return cells;
}

/// Calls f(stratum) for every stratum of the protocols of a campaign that it wants, in the order of the
/// table.
template <class F>
void for_each_stratum(const Campaign& campaign, const Strata& found, F&& f) {
  std::set<std::string> protocols(campaign.protocols.begin(), campaign.protocols.end());
  for (const auto& [stratum, counts] : found) protocols.insert(stratum.protocol);  // of earlier campaigns
  for (const std::string& protocol : protocols)
    for (const char* fault : kFaultParts)
      for (const char* duration : kFaultDurations)
        for (const char* phase : kHitPhases)
          for (const char* overlap : kOverlaps)
            if (const Stratum s{protocol, fault, duration, phase, overlap}; campaign.wants(s)) f(s);
}

/// The strata without a hit: those that cannot occur, with the reason, and the others.
std::string strata_without_hits(const Campaign& campaign, const CampaignPlan& plan) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>>
      impossible;  // reason, phase, protocols
  Table missing = table_of_strata();
  std::size_t count = 0;
  for_each_stratum(campaign, plan.strata(), [&](const Stratum& s) {
    if (plan.strata().contains(s)) return;
    const std::string why = why_impossible(s);
    if (why.empty()) {
      missing.add(row(s));
      return;
    }
    ++count;
    std::vector<std::string>& protocols =
        impossible[why][s.phase == "absorption" ? s.phase + ", one" : s.phase];
    if (protocols.empty() || protocols.back() != s.protocol) protocols.push_back(s.protocol);
  });
  std::string page;
  if (count > 0) {
    Table table{.columns = {{"protocols"}, {"phase"}, {"why"}}};
    for (const auto& [why, phases] : impossible)
      for (const auto& [phase, protocols] : phases) table.add({joined(protocols), phase, why});
    page += formatted("\n%d strata cannot occur:\n\n", count) + table.markdown();
  }
  if (!missing.rows.empty())
    page += "\nStrata that were not hit, and are not known to be impossible:\n\n" + missing.markdown();
  return page;
}

/// Runs and hits whose end is not known; empty if there are none.
std::string unknown_ends(const CampaignPlan& plan, const FoundBounds& found, const HitCounts& all) {
  std::uint64_t own = 0;
  std::string how;
  for (const auto& [status, count] : plan.without_result()) {
    own += count;
    how += formatted("%1%%2% %3%", how.empty() ? "" : ", ", count, to_word(status));
  }
  std::string lines;
  if (const std::uint64_t runs = found.without_result)
    lines +=
        formatted("%d runs have no result, so what they hit is not known and not in the table%s.\n", runs,
                  own == 0      ? ""
                  : own == runs ? ": " + how
                                : "; of this campaign's own: " + how);
  if (all.in_flight > 0)
    lines += formatted("%d hits were in flight when their runs ended. The bounds count them as failed.\n",
                       all.in_flight);
  return lines;
}

std::string counted_text(const std::vector<CountedCampaign>& counted) {
  std::vector<std::string> names;
  for (const CountedCampaign& c : counted) names.push_back(Json(c.name).dump() + " (" + c.fingerprint + ")");
  return joined(names);
}

}  // namespace

FoundBounds found_bounds(const Campaign& campaign, const CampaignPlan& plan) {
  FoundBounds found;
  found.runs = plan.runs();
  found.messages = plan.messages();
  found.broken_elsewhere = plan.broken_elsewhere();
  for (const auto& [status, count] : plan.without_result()) found.without_result += count;
  found.strata = plan.strata();
  for (const FoundBounds& earlier : campaign.earlier) {
    found.runs += earlier.runs;
    found.messages += earlier.messages;
    found.broken_elsewhere += earlier.broken_elsewhere;
    found.without_result += earlier.without_result;
    found.counts.push_back({earlier.name, earlier.fingerprint});
  }
  for (const FoundBounds& earlier : campaign.earlier)
    found.counts.insert(found.counts.end(), earlier.counts.begin(), earlier.counts.end());
  return found;
}

std::string bounds_table(const Campaign& campaign, const CampaignPlan& plan) {
  const FoundBounds found = found_bounds(campaign, plan);
  HitCounts all;
  for (const auto& [stratum, count] : plan.strata()) all += count;
  std::string page = formatted(
      "%d runs, %d messages, %d hits in %d strata. Of the %d strata that the campaign fills, %d have at "
      "least %d hits.\n",
      found.runs, found.messages, all.hits, plan.strata().size(), plan.wanted(), plan.complete(),
      campaign.hits);
  page += formatted(
      "%d hits failed; %d more runs broke the contract otherwise. %d hits were repaired by the guard "
      "only.\n",
      all.failed, found.broken_elsewhere, all.guard_repaired);
  page += unknown_ends(plan, found, all) + "\n";
  if (!campaign.earlier.empty()) {
    page += formatted("%d of these runs are this campaign's own; the others are those of %s.\n\n",
                      plan.runs(), counted_text(found.counts));
  }
  page += formatted(
      "The last column bounds the probability that a hit fails, at %g %% confidence, one-sided. "
      "`*`: fewer hits than wanted.\n\n",
      100 * campaign.confidence);
  Table table = table_of_strata();
  for (const char* head : {"hits", "lost", "abandoned", "by the guard", "in flight", "failed", "bound"})
    table.columns.push_back({head, Table::right});
  std::string protocol, fault, duration;
  for (const auto& [first, count] : plan.strata()) {
    if (first.protocol == protocol && first.fault == fault && first.duration == duration) continue;
    protocol = first.protocol, fault = first.fault, duration = first.duration;
    for (const char* phase : kHitPhases)
      for (const char* overlap : kOverlaps)
        if (const auto hits = plan.strata().find({protocol, fault, duration, phase, overlap});
            hits != plan.strata().end())
          table.add(row(hits->first, hits->second, campaign));
  }
  return page + table.markdown() + strata_without_hits(campaign, plan);
}

}  // namespace flitmend
