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

/// A statement of the file: its words, and what is to be compared or the published table that it is about.
struct StatementText {
  std::string says;
  std::string table;
  StatementSpec spec;  ///< without a table
};

/// Reads an entry of `statements:`; `path` is how messages call it: "statements[2]". What is wrong goes into
/// the list: unknown keys, curves, sweeps, metrics, tables; a kind that lacks what it needs.
StatementText read_statement(const DocumentNode&, const std::string& path, const StatementContext&,
                             ErrorList&);

/// Reports what no statement can make sense of in the section of named curves.
void check_named_curves(const StatementContext&, ErrorList&);

}  // namespace flitmend
