// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "exploration/report/page.h"

namespace flitmend {

/// The page about a study's folder: its statements with their verdicts and all comparisons, then each of its
/// sweeps. Throws ConfigurationError if its results cannot be read.
ReportPage study_report(const std::filesystem::path& folder);

}  // namespace flitmend
