// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "exploration/campaign/campaign_plan.h"

namespace flitmend {

/// What the campaign has found, with the earlier campaigns that it counts.
FoundBounds found_bounds(const Campaign&, const CampaignPlan&);

/// The same as a page, bounds.md: what was run, and a table of the strata with their hits,
/// failures and bounds. The same results give the same bytes.
std::string bounds_table(const Campaign&, const CampaignPlan&);

}  // namespace flitmend
