// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "exploration/report/page.h"

namespace flitmend {

/// The statements of a study with their verdicts: every column of the table `statements` of an SQLite file,
/// with `holds` (1, 0, NULL) in words, followed by the collapsed table `comparisons`. Adds nothing if the
/// file has no such tables.
void add_statements(ReportPage&, const std::filesystem::path& results);

}  // namespace flitmend
