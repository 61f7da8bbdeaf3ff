// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "exploration/report/page.h"

namespace flitmend {

/// The report on a folder, as HTML: on a study, a sweep or a run, if the folder holds study.sqlite,
/// results.sqlite or stats.json. Throws ConfigurationError if it holds none of them, or if they cannot be
/// read.
std::string report_html(const std::filesystem::path& folder, const PlottingLibrary&);

}  // namespace flitmend
