// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/report/page.h"
#include "testbench/configuration/configuration.h"
#include "testbench/verdict_cache.h"

namespace flitmend {

/// The most channels between routers with which the report on a run has the picture. It takes about 300 bytes
/// per channel.
inline constexpr std::uint64_t kMostReportedChannels = 4000;

/// Adds the verdict of flitmend check on the configuration of a run, what it says in detail, and
/// deadlock_picture, unless the network has more channels. Where there is no picture, a verdict that was kept
/// is as good as a new one. `picture`: whether there is one; no, where the run has a deadlock of its own to
/// show.
void add_deadlock(ReportPage&, const Configuration&, const VerdictCache&, bool picture = true);

}  // namespace flitmend
