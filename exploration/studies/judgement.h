// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace flitmend {

enum class Verdict {
  holds,
  fails,
  undecided,  ///< the interval contains a bound, or there is nothing to judge
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
};

/// A statement with its verdict and the figures that it rests on.
struct JudgedStatement {
  std::string says;
  std::string judged;
  std::string measured;
  Verdict verdict = Verdict::undecided;
  std::vector<JudgedPart> parts;
};

/// Holds if every part holds, fails if one fails; `measured` counts them and quotes the closest. Undecided
/// without parts.
JudgedStatement summed_up(std::string says, std::string judged, std::vector<JudgedPart> parts);

}  // namespace flitmend
