// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "exploration/report/page.h"

namespace flitmend {

/// The page of a run's folder: stats.json, and config.yaml where it is there. Throws ConfigurationError where
/// stats.json cannot be read, is no JSON object or of another schema.
ReportPage run_report(const std::filesystem::path& folder);

}  // namespace flitmend
