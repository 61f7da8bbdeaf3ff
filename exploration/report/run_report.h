// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "exploration/report/page.h"

namespace flitmend {

/// The page about a run's folder: stats.json, and config.yaml if it exists. Throws ConfigurationError if
/// stats.json cannot be read, is not a JSON object, or has another schema.
ReportPage run_report(const std::filesystem::path& folder);

}  // namespace flitmend
