#pragma once
#include <filesystem>

#include "testbench/report/page.h"

namespace flitmend {

/// The page of a sweep's folder (results.sqlite), also while the sweep is under way. Throws
/// ConfigurationError where it cannot be read or is of another schema.
ReportPage sweep_report(const std::filesystem::path& folder);

}  // namespace flitmend
