// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/kns_tolerance/closed_forms.h"
#include "analysis/kns_tolerance/survey.h"
#include "analysis/paper_tables/tables.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kSamples = 20'000;
/// As many samples as the paper's 99 % confidence and 1 % error require.
constexpr std::uint64_t kPaperSamples = 16'588;

/// A printed percentage of pairs with two intermediates: a number, or only an upper bound.
struct Printed {
  double percent;
  int decimals;
  bool bound = false;
};

KnsSurvey sample(const KnsShape& shape, std::int64_t faults, const PaperTableOptions& options) {
  KnsSurveySettings settings;
  settings.faults = faults;
  settings.seed = options.seed;
  settings.jobs = options.jobs;
  return survey_samples(shape, settings, kSamples);
}

PaperTable table_of(const KnsShape& shape, const std::vector<double>& one, const std::vector<Printed>& two,
                    const PaperTableOptions& options) {
  PaperTable table;
  table.notes = {
      "Percent of the N(N - 1) ordered pairs, mean over combinations of faulty links, fewest intermediates.",
      "1 inter.: closed form of faulty plain paths, minus the pairs sampled with two or none; within 0.01.",
      "2 inter.: " + std::to_string(kSamples) +
          " random combinations; agrees within half a printed digit and",
      "three standard errors of both samples (assuming " + std::to_string(kPaperSamples) + " in the paper)."};
  for (std::size_t i = 0; i < one.size(); ++i) {
    const auto faults = static_cast<std::int64_t>(i + 1);
    const std::string label = "f = " + std::to_string(faults);
    const KnsSurvey survey = sample(shape, faults, options);
    const double ours_two = 100 * survey.pair_share(survey.pairs[2]);
    const double ours_one =
        100 * kns_faulty_pair_share(shape, i + 1) - ours_two - 100 * survey.pair_share(survey.unreachable);
    table.rows.push_back(compare_measured(label + ", 1 inter.", one[i], 2, ours_one, .01));
    const Printed& printed = two[i];
    if (printed.bound) {
      PaperRow row =
          judge_statement(label + ", 2 inter.", "below 0.000001", ours_two, ours_two < printed.percent);
      row.decimals = printed.decimals;
      table.rows.push_back(std::move(row));
      continue;
    }
    const double error = 100 * survey.pair_share_error(2) * std::sqrt(1 + double(kSamples) / kPaperSamples);
    const double digit = .5 * std::pow(10., -printed.decimals);
    table.rows.push_back(compare_measured(label + ", 2 inter.", printed.percent, printed.decimals, ours_two,
                                          digit + 3 * error));
  }
  return table;
}

}  // namespace

PaperTable kns_table_1a(const PaperTableOptions& options) {
  const std::vector<double> one = {.19,  .38,  .57,  .75,  .94,  1.13, 1.32, 1.50,
                                   1.69, 1.88, 2.06, 2.25, 2.43, 2.61, 2.80};
  const std::vector<Printed> two = {{0, 6},       {.000003, 6}, {.000009, 6}, {.00018, 6},  {.000031, 6},
                                    {.000046, 6}, {.000067, 6}, {.000087, 6}, {.000115, 6}, {.000145, 6},
                                    {.000179, 6}, {.000216, 6}, {.000257, 6}, {.000307, 6}, {.00036, 5}};
  PaperTable table = table_of(KnsShape(32, 2), one, two, options);
  table.title =
      "KNS [Penaranda17], Table I(a): percent of paths with intermediate nodes, 32-ary 2-direct 1-indirect";
  for (PaperRow& row : table.rows)
    if (row.label == "f = 4, 2 inter.")
      row = std::move(row).or_misprint_of(.000018, "0.000018 fits its neighbours: the print is missing a 0");
  return table;
}

PaperTable kns_table_1b(const PaperTableOptions& options) {
  const std::vector<double> one = {.18,  .36,  .54,  .72,  .90,  1.08, 1.25, 1.43,
                                   1.61, 1.79, 1.96, 2.14, 2.32, 2.50, 2.67};
  std::vector<Printed> two(15, Printed{.000001, 6, true});
  two[0] = two[1] = {0, 6};
  two[11] = {.000001, 6};
  two[12] = two[13] = two[14] = {.000002, 6};
  PaperTable table = table_of(KnsShape(10, 3), one, two, options);
  table.title =
      "KNS [Penaranda17], Table I(b): percent of paths with intermediate nodes, 10-ary 3-direct 1-indirect";
  return table;
}

}  // namespace flitmend
