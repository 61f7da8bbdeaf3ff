// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "exploration/report/page.h"

namespace flitmend {

/// The report on a folder, as HTML: of a sweep where it holds results.sqlite, else of a run where it holds
/// stats.json. Throws ConfigurationError where it holds neither, or what cannot be read.
std::string report_html(const std::filesystem::path& folder, const PlottingLibrary&);

}  // namespace flitmend
