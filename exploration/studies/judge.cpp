// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/table.h"
#include "base/text.h"
#include "exploration/studies/statement_spec.h"
#include "testbench/statistics/mean_interval.h"

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

namespace {

std::string with_axes(const char* what, std::int64_t id, const Json& axes) {
  std::string text;
  for (const auto& [key, value] : axes.items())
    text += (text.empty() ? " (" : ", ") + key + "=" + study_value(value);
  return formatted("%1%%2%%3%%4%", what, id, text, text.empty() ? "" : ")");
}

std::string first_line(const std::string& message) {
  return message.substr(0, message.find('\n'));
}

StudyResults::Value of_point(const PointRecord& point, const std::string& metric) {
  if (point.status != PointStatus::done)
    return {std::nullopt,
            with_axes("point ", point.id, point.axes) + ": " + to_word(point.status) + ": " +
                first_line(point.message),
            true};
  if (const auto found = point.metrics.find(metric); found != point.metrics.end())
    return {found->second, "", false};
  return {std::nullopt, with_axes("point ", point.id, point.axes) + ": defines no " + metric, false};
}

StudyResults::Value of_curve(const SaturationRecord& curve, const std::string& metric) {
  const std::optional<double> number = metric == "saturation.load"         ? curve.load
                                       : metric == "saturation.throughput" ? curve.throughput
                                                                           : curve.zero_load_latency;
  if (number) return {number, "", false};
  return {std::nullopt,
          with_axes("curve ", curve.curve, curve.axes) + ": " + to_word(curve.status) + ": " +
              first_line(curve.message),
          true};
}

using Quantity = Comparison::Quantity;

/// A side's values in the order of the seeds, or the reason why they are missing.
struct SideValues {
  std::vector<double> values;
  std::vector<std::string> failed;
  std::vector<std::string> missing;
};

SideValues values_of(const ComparisonSide& side, const ComparisonSide& seeds,
                     const std::vector<StudyResults>& results) {
  SideValues all;
  if (side.constant) {
    all.values.assign(seeds.units.size(), *side.constant);
    return all;
  }
  for (const auto& [seed, units] : side.units) {
    double sum = 0;
    for (const std::int64_t unit : units) {
      const StudyResults::Value value = results[side.sweep].value(side.metric, unit);
      if (value.number)
        sum += *value.number;
      else
        (value.failure ? all.failed : all.missing).push_back(value.missing);
    }
    all.values.push_back(sum / static_cast<double>(units.size()));
  }
  return all;
}

std::string list_text(const std::vector<std::string>& texts) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < texts.size() && i < kShown; ++i) text += (i ? "; " : "") + texts[i];
  if (texts.size() > kShown) text += formatted("; and %1% more", texts.size() - kShown);
  return text;
}

std::vector<double> quantities(Quantity quantity, const std::vector<double>& left,
                               const std::vector<double>& right) {
  std::vector<double> values;
  for (std::size_t i = 0; i < left.size(); ++i)
    values.push_back(quantity == Quantity::value        ? left[i]
                     : quantity == Quantity::difference ? left[i] - right[i]
                                                        : left[i] / right[i]);
  return values;
}

Verdict verdict_of(const Interval& i, const Comparison& c) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double low = c.low.value_or(-infinity), high = c.high.value_or(infinity);
  if (c.strict) {
    if (i.low() > low && i.high() < high) return Verdict::holds;
    return i.low() >= high || i.high() <= low ? Verdict::fails : Verdict::undecided;
  }
  if (i.low() >= low && i.high() <= high) return Verdict::holds;
  return i.low() > high || i.high() < low ? Verdict::fails : Verdict::undecided;
}

/// Distance of the interval's nearer edge inside its bounds, as a share of `scale`.
double margin_of(const Interval& i, const Comparison& c, double scale) {
  double margin = std::numeric_limits<double>::infinity();
  if (c.low) margin = std::min(margin, i.low() - *c.low);
  if (c.high) margin = std::min(margin, *c.high - i.high());
  return scale > 0 ? margin / scale : margin;
}

double mean_of(const std::vector<double>& values) {
  return interval_95(values).mean;
}

std::string interval_text(const Interval& i) {
  return study_number(i.mean) + " ± " + study_number(i.half_width);
}

JudgedPart part_of(const PaperRow& row) {
  constexpr int kMore = 3;  // digits after those of the print
  JudgedPart part;
  part.at = row.label;
  part.wanted = row.printed ? with_decimals(*row.printed, row.decimals) : row.statement;
  part.measured = with_decimals(row.ours, row.decimals + kMore);
  if (row.verdict == PaperVerdict::misprint) part.measured += ", the print is a misprint";
  if (row.verdict == PaperVerdict::refuted) part.measured += ", the print is refuted";
  if (row.verdict == PaperVerdict::not_reproduced) part.measured += ", the print is not reproduced";
  if (!row.reason.empty()) part.measured += " (" + row.reason + ")";
  part.verdict = row.verdict == PaperVerdict::deviates ? Verdict::fails : Verdict::holds;
  if (const auto difference = row.difference()) {
    const double scale = std::abs(*row.printed);
    part.margin = (row.tolerance - std::abs(*difference)) / (scale > 0 ? scale : 1);
  }
  return part;
}

}  // namespace

StudyResults::StudyResults(const SweepReader& reader) {
  for (PointRecord& point : reader.points()) {
    const std::int64_t id = point.id;
    points_.emplace(id, std::move(point));
  }
  for (SaturationRecord& curve : reader.saturation()) {
    const std::int64_t id = curve.curve;
    curves_.emplace(id, std::move(curve));
  }
}

StudyResults::Value StudyResults::value(const std::string& metric, std::int64_t unit) const {
  const bool searched = metric.starts_with("saturation.");
  if (const auto curve = curves_.find(unit); searched && curve != curves_.end())
    return of_curve(curve->second, metric);
  if (const auto point = points_.find(unit); !searched && point != points_.end())
    return of_point(point->second, metric);
  return {std::nullopt, formatted("%1% %2%: not run yet", searched ? "curve" : "point", unit), false};
}

JudgedPart judge(const Comparison& c, const std::vector<StudyResults>& results) {
  JudgedPart part{c.at, c.compared(), c.wanted(), "", Verdict::undecided, 0, false};
  const bool pair = c.quantity != Quantity::value;
  const ComparisonSide& seeds = c.left.constant ? c.right : c.left;
  SideValues left = values_of(c.left, seeds, results);
  SideValues right = pair ? values_of(c.right, seeds, results) : SideValues();
  for (auto list : {&SideValues::failed, &SideValues::missing}) {
    std::vector<std::string> texts = left.*list;
    texts.insert(texts.end(), (right.*list).begin(), (right.*list).end());
    if (texts.empty()) continue;
    part.measured = list_text(texts);
    part.failed_run = list == &SideValues::failed;
    part.verdict = part.failed_run ? Verdict::fails : Verdict::undecided;
    part.margin = -std::numeric_limits<double>::infinity();
    return part;
  }
  if (c.quantity == Quantity::ratio &&
      std::any_of(right.values.begin(), right.values.end(), [](double v) { return v == 0; })) {
    part.measured = c.right.label + " is 0, so there is no ratio";
    return part;
  }
  const Interval interval = interval_95(quantities(c.quantity, left.values, right.values));
  part.verdict = verdict_of(interval, c);
  if (!pair) {
    part.measured = interval_text(interval);
    part.margin = margin_of(interval, c, std::abs(interval.mean));
    return part;
  }
  const double l = mean_of(left.values), r = mean_of(right.values);
  const bool ratio = c.quantity == Quantity::ratio;
  part.measured = study_number(l) + " and " + study_number(r) + (ratio ? ", ratio " : ", difference ") +
                  interval_text(interval);
  part.margin = margin_of(interval, c, ratio ? 1 : std::abs(r));
  return part;
}

JudgedStatement judge(const StudyStatement& statement, const std::vector<StudyResults>& results,
                      unsigned jobs) {
  if (!statement.table.empty()) return judge_paper_table(statement, jobs);
  std::vector<JudgedPart> parts;
  for (const Comparison& comparison : statement.comparisons) parts.push_back(judge(comparison, results));
  JudgedStatement judged = summed_up(statement.says, statement.judged, std::move(parts));
  if (statement.refuted_by.empty()) return judged;
  return expected_to_fail(std::move(judged), statement.refuted_by);
}

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
    judged.measured += formatted("; %1% refuted", refuted);
  if (const std::size_t open = table.count(PaperVerdict::not_reproduced))
    judged.measured += formatted("; %1% not reproduced", open);
  return judged;
}

}  // namespace flitmend
