// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/paper_statement.h"

#include <boost/format.hpp>
#include <cmath>

#include "base/text.h"

namespace flitmend {
namespace {

std::string decimals_text(double value, int decimals) {
  return (boost::format("%.*f") % boost::io::group(std::setprecision(decimals), value)).str();
}

JudgedPart part_of(const PaperRow& row) {
  constexpr int kMore = 3;  // digits after those of the print
  JudgedPart part;
  part.at = row.label;
  part.wanted = row.printed ? decimals_text(*row.printed, row.decimals) : row.statement;
  part.measured = decimals_text(row.ours, row.decimals + kMore);
  if (row.verdict == PaperVerdict::misprint) part.measured += ", the print is a misprint";
  if (row.verdict == PaperVerdict::refuted) part.measured += ", the print is refuted";
  if (!row.reason.empty()) part.measured += " (" + row.reason + ")";
  part.verdict = row.verdict == PaperVerdict::deviates ? Verdict::fails : Verdict::holds;
  if (const auto difference = row.difference()) {
    const double scale = std::abs(*row.printed);
    part.margin = (row.tolerance - std::abs(*difference)) / (scale > 0 ? scale : 1);
  }
  return part;
}

}  // namespace

JudgedStatement judge_paper_table(const StudyStatement& statement, unsigned jobs) {
  PaperTableOptions options;
  options.jobs = jobs;
  return judge_paper_table(statement, paper_tables().at(statement.table).compute(options));
}

JudgedStatement judge_paper_table(const StudyStatement& statement, const PaperTable& table) {
  std::vector<JudgedPart> parts;
  for (const PaperRow& row : table.rows) parts.push_back(part_of(row));
  JudgedStatement judged = summed_up(statement.says, statement.judged, std::move(parts));
  if (const std::size_t misprints = table.count(PaperVerdict::misprint))
    judged.measured += "; " + counted(misprints, "misprint");
  if (const std::size_t refuted = table.count(PaperVerdict::refuted))
    judged.measured += "; " + std::to_string(refuted) + " refuted";
  return judged;
}

}  // namespace flitmend
