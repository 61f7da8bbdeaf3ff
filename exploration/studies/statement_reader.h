// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "exploration/studies/statement_spec.h"
#include "exploration/sweeps/sweep.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// What a statement may refer to.
struct StatementContext {
  struct NamedSweep {
    std::string name;
    const Sweep* sweep;
  };
  std::vector<NamedSweep> sweeps;
  const DocumentNode* curves = nullptr;  ///< the section of named curves; null: none
};

/// A statement of the file: its words, and what to compare or the published table that it is about.
struct StatementText {
  std::string says;
  std::string table;
  std::string refuted_by;
  StatementSpec spec;  ///< unused if there is a table
};

/// Reads an entry of `statements:`; `path` is what error messages call it: "statements[2]". Errors go into
/// the list: unknown keys, curves, sweeps, metrics, tables; a kind that lacks something it needs.
StatementText read_statement(const DocumentNode&, const std::string& path, const StatementContext&,
                             ErrorList&);

/// Reports entries of the section of named curves that no statement can use.
void check_named_curves(const StatementContext&, ErrorList&);

}  // namespace flitmend
