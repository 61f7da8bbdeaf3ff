// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exploration/studies/statement_spec.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/file_keys.h"
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

/// Reads the curves of one statement.
class CurveReader {
 public:
  /// `statement` has the keys sweep, metric and where, which apply to all its curves. All arguments must
  /// outlive this.
  CurveReader(const DocumentNode& statement, const std::string& path, const StatementContext&, ErrorList&);

  /// A list of names of curves, keys with their values, and, if allowed, numbers; or {KEY: [VALUE, …]}, one
  /// curve per value. `least` to `most` of them.
  std::vector<CurveSpec> list(const DocumentNode&, const std::string& word, std::size_t least,
                              std::size_t most);
  /// One curve: a name, or keys with their values. Null: all points of the sweep.
  CurveSpec one(const DocumentNode*, const std::string& word);

 private:
  CurveSpec read(const DocumentNode&, const std::string& word, bool numbers);
  CurveSpec named(const DocumentNode&, const std::string& word);
  void read_keys(const DocumentNode& map, const std::string& word, CurveSpec&);
  void add_common(CurveSpec&);
  void check(CurveSpec&);
  void check_metric(const CurveSpec&, const Sweep&);
  void report(const Place&, const std::string& what);

  const DocumentNode& statement_;
  std::string path_;
  const StatementContext& context_;
  ErrorList& errors_;
  std::set<std::string> said_;
};

/// The metrics of a sweep with until: saturation: saturation.load, saturation.throughput,
/// saturation.zero_load_latency.
const std::vector<std::string_view>& saturation_metrics();

/// Reads the section `references` of a study whose sweeps are known. Errors go into the list. In the quick
/// version, references to sweeps that it leaves out are left out too.
std::vector<StudyReference> read_references(const DocumentNode&, const Study&, ErrorList&);

}  // namespace flitmend
