// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace flitmend {

enum class Verdict {
  holds,
  fails,
  undecided,  ///< the interval straddles a bound, or there is nothing to judge by
};
std::string to_word(Verdict);

/// One comparison of a statement, judged.
struct JudgedPart {
  std::string at;
  std::string compared;
  std::string wanted;
  std::string measured;
  Verdict verdict = Verdict::undecided;
  /// How far the interval is inside its bounds (below 0: outside), as a share of what is compared with; of
  /// parts with the same verdict the one with the smallest came closest to another.
  double margin = 0;
};

/// A statement with its verdict and the figures it rests on.
struct JudgedStatement {
  std::string says;
  std::string judged;
  std::string measured;
  Verdict verdict = Verdict::undecided;
  std::vector<JudgedPart> parts;
};

/// Holds where every part does, fails where one fails; `measured` counts them and quotes the closest. Without
/// parts: undecided.
JudgedStatement summed_up(std::string says, std::string judged, std::vector<JudgedPart> parts);

}  // namespace flitmend
