// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exploration/studies/statement_reader.h"
#include "exploration/sweeps/file_keys.h"

namespace flitmend {

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

}  // namespace flitmend
