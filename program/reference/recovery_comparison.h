// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "protocols/recovery/registry.h"

namespace flitmend {

struct ComparisonTable {
  std::string title;
  std::vector<std::string> columns;  ///< the first one names the rows
  std::vector<std::vector<std::string>> rows;
};

/// Every recovery protocol by what it needs and does: Tables 2 and 3 of [SBRP] as published, the same as
/// built, with differences marked, and what the hardware of each takes.
std::vector<ComparisonTable> recovery_comparison();

/// What the marks in these tables mean.
extern const char* const kComparisonNote;

/// The same tables in Markdown, for docs/recovery.md.
std::string recovery_comparison_page();

/// The same of one protocol, for programs.
nlohmann::ordered_json recovery_details(const RecoveryEntry&);

}  // namespace flitmend
