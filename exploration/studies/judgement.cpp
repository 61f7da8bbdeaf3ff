// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/judgement.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace flitmend {
namespace {

/// fails, undecided, holds
int rank(Verdict v) {
  return v == Verdict::fails ? 0 : v == Verdict::undecided ? 1 : 2;
}

std::string part_text(const JudgedPart& part) {
  std::string text = part.at;
  if (!part.compared.empty()) text += (text.empty() ? "" : ", ") + part.compared;
  return (text.empty() ? "" : text + ": ") + part.measured +
         (part.wanted.empty() ? "" : " (wanted: " + part.wanted + ")");
}

}  // namespace

std::string to_word(Verdict v) {
  switch (v) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "fails";
    case Verdict::refuted:
      return "refuted";
    default:
      return "undecided";
  }
}

JudgedStatement summed_up(std::string says, std::string judged, std::vector<JudgedPart> parts) {
  JudgedStatement statement{
      std::move(says), std::move(judged), "nothing was compared", Verdict::undecided, {}, {}};
  if (parts.empty()) return statement;
  const auto count = [&](Verdict v) {
    return std::count_if(parts.begin(), parts.end(), [&](const JudgedPart& p) { return p.verdict == v; });
  };
  const auto failed = count(Verdict::fails), undecided = count(Verdict::undecided);
  statement.verdict = failed ? Verdict::fails : undecided ? Verdict::undecided : Verdict::holds;
  const JudgedPart& closest = *std::min_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::tuple(rank(a.verdict), a.margin) < std::tuple(rank(b.verdict), b.margin);
  });
  statement.measured = part_text(closest);
  if (parts.size() > 1) {
    std::string counts = formatted("%1% of %2% comparisons hold", count(Verdict::holds), parts.size());
    if (failed) counts += formatted(", %1% %2%", failed, failed == 1 ? "fails" : "fail");
    if (undecided) counts += formatted(", %1% %2% undecided", undecided, undecided == 1 ? "is" : "are");
    statement.measured = counts +
                         (statement.verdict == Verdict::holds ? "; the closest: " : "; the worst: ") +
                         statement.measured;
  }
  statement.parts = std::move(parts);
  return statement;
}

JudgedStatement expected_to_fail(JudgedStatement statement, const std::string& refuted_by) {
  const bool failed_run = std::any_of(statement.parts.begin(), statement.parts.end(),
                                      [](const JudgedPart& part) { return part.failed_run; });
  if (statement.verdict == Verdict::holds) {
    statement.verdict = Verdict::fails;
    statement.measured =
        "holds, although refuted_by says that it does not; remove refuted_by: " + statement.measured;
  } else if (statement.verdict == Verdict::fails && !failed_run) {
    statement.verdict = Verdict::refuted;
    statement.refuted_by = refuted_by;
  }
  return statement;
}

}  // namespace flitmend
