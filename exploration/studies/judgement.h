// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

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

}  // namespace flitmend
