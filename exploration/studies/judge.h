// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exploration/paper_tables/paper_table.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/reader.h"

namespace flitmend {

enum class Verdict {
  holds,
  fails,
  undecided,  ///< the interval contains a bound, or there is nothing to judge
  refuted,    ///< of a statement: it fails, as its `refuted_by` says
};
std::string to_word(Verdict);

/// A judged comparison of a statement.
struct JudgedPart {
  std::string at;
  std::string compared;
  std::string wanted;
  std::string measured;
  Verdict verdict = Verdict::undecided;
  /// How far the interval is inside its bounds (below 0: outside), as a share of the value compared with.
  /// Among parts with the same verdict, the one with the smallest margin came closest to another verdict.
  double margin = 0;
  bool failed_run = false;  ///< it fails because a run did, not by what was measured
};

/// A statement with its verdict and the figures that it rests on.
struct JudgedStatement {
  std::string says;
  std::string judged;
  std::string measured;
  Verdict verdict = Verdict::undecided;
  std::vector<JudgedPart> parts;
  std::string refuted_by = {};  ///< not empty if refuted: why a published claim does not hold
};

/// Holds if every part holds, fails if one fails; `measured` counts them and quotes the closest. Undecided
/// without parts.
JudgedStatement summed_up(std::string says, std::string judged, std::vector<JudgedPart> parts);

/// A statement that its study expects to fail, for the reason given. If it fails by what was measured, it is
/// refuted. If it holds, the study is wrong, so it fails and `measured` says so. If a run failed, or it is
/// undecided, nothing changes.
JudgedStatement expected_to_fail(JudgedStatement statement, const std::string& refuted_by);

/// The results of a sweep, for statements.
class StudyResults {
 public:
  explicit StudyResults(const SweepReader&);

  struct Value {
    std::optional<double> number;
    std::string missing;   ///< why there is no number
    bool failure = false;  ///< the run, or the saturation search, did not end well
  };
  /// A metric of a unit of the sweep's plan: of a point, or of a curve of a saturation search.
  Value value(const std::string& metric, std::int64_t unit) const;

 private:
  std::map<std::int64_t, PointRecord> points_;
  std::map<std::int64_t, SaturationRecord> curves_;
};

/// Judges a comparison: the quantity of each seed, their mean and its 95 % confidence interval by Student's
/// t. It holds if the whole interval is within the bounds, and fails if no part of it is. A run that did not
/// end well makes it fail and is named; a missing run leaves it undecided. `results`: in the order of the
/// study's sweeps.
JudgedPart judge(const Comparison&, const std::vector<StudyResults>& results);

/// Judges a statement. If it is about a published table, computes the table.
JudgedStatement judge(const StudyStatement&, const std::vector<StudyResults>& results, unsigned jobs);

/// Judges a statement about a published table, one part per row. A part fails if ours deviates from the
/// print; it holds if ours agrees with the print, with the value meant by a known misprint, or with a second
/// witness that refutes the print. `jobs`: threads, 0: one per processor.
JudgedStatement judge_paper_table(const StudyStatement&, unsigned jobs);
/// The same for a table that is computed.
JudgedStatement judge_paper_table(const StudyStatement&, const PaperTable& table);

}  // namespace flitmend
