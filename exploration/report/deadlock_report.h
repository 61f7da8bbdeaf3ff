// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "exploration/report/page.h"
#include "testbench/checks/verdict_cache.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The most channels between routers with which the report on a run has the picture. It takes about 300 bytes
/// per channel.
inline constexpr std::uint64_t kMostReportedChannels = 4000;

/// Adds the verdict on the configuration of a run, what the check says in detail, and deadlock_picture.
/// `kept` is the check that the run kept (kCheckFile); none: a check that takes two seconds at most, or one
/// that this cache has, says what it finds, else there is no verdict. The configuration is null if it, or a
/// file that it names, is not what the run had: then there is no picture. Nor is there one if the network has
/// more channels, if the check takes longer, or if it finds now something else than the run kept. `picture`:
/// whether there may be one; no, where the run has a deadlock of its own to show.
void add_deadlock(ReportPage&, const Configuration*, const std::optional<std::string>& kept,
                  const VerdictCache&, bool picture = true);

}  // namespace flitmend
