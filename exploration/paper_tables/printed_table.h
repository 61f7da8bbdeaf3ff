// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "exploration/paper_tables/paper_table.h"
#include "exploration/sweeps/records.h"

namespace flitmend {

/// A published table as it was printed, from studies/papers/printed-tables.yaml.
class PrintedTable {
 public:
  /// `name`: of its PaperTableEntry.
  explicit PrintedTable(const char* name);

  /// Title and notes without rows. `computed` replaces %1%, %2%, … in the notes.
  PaperTable begin(const std::vector<std::string>& computed = {}) const;
  /// The printed rows: objects by column. The paper has no number for a column that is missing.
  const std::vector<Json>& rows() const { return rows_; }
  /// The row, which becomes a misprint if its print is known to be wrong and ours agrees with what was meant.
  /// `computed` replaces %1%, %2%, … in the reason.
  PaperRow judged(PaperRow row, const std::vector<std::string>& computed = {}) const;
  /// What was meant by the row of that label, if its print is known to be wrong.
  std::optional<double> meant(const std::string& label) const;

 private:
  const Json* misprint(const std::string& label) const;

  const Json& table_;
  std::vector<Json> rows_;
};

}  // namespace flitmend
