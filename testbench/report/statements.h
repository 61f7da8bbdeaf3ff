#pragma once
#include <filesystem>

#include "testbench/report/page.h"

namespace flitmend {

/// The statements of a study with their verdicts: every column of the table `statements` in results.sqlite,
/// its `holds` (1, 0) in words. Adds nothing where the file has no such table.
void add_statements(ReportPage&, const std::filesystem::path& results);

}  // namespace flitmend
