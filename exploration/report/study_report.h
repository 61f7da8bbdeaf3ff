// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "exploration/report/page.h"

namespace flitmend {

/// A page about the folder of a study: its statements with their verdicts and all comparisons behind them,
/// then each of its sweeps. Throws ConfigurationError where its results cannot be read.
ReportPage study_report(const std::filesystem::path& folder);

}  // namespace flitmend
