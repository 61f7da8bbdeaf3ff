// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "analysis/kns_tolerance/closed_forms.h"
#include "analysis/kns_tolerance/survey.h"
#include "base/text.h"
#include "exploration/paper_tables/printed_table.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kTable1Samples = 20'000;
/// As many samples as the paper's 99 % confidence and 1 % error require.
constexpr std::uint64_t kPaperSamples = 16'588;

KnsSurvey sample(const KnsShape& shape, std::int64_t faults, const PaperTableOptions& options) {
  KnsSurveySettings settings;
  settings.faults = faults;
  settings.seed = options.seed;
  settings.jobs = options.jobs;
  return survey_samples(shape, settings, kTable1Samples);
}

PaperTable table_of(const KnsShape& shape, const char* name, const PaperTableOptions& options) {
  const PrintedTable printed(name);
  PaperTable table = printed.begin();
  for (const Json& row : printed.rows()) {
    const auto faults = row["f"].get<std::int64_t>();
    const int decimals = row["decimals"].get<int>();
    const std::string label = formatted("f = %1%", faults);
    const KnsSurvey survey = sample(shape, faults, options);
    const double ours_two = 100 * survey.pair_share(survey.pairs[2]);
    const double ours_one = 100 * kns_faulty_pair_share(shape, static_cast<std::uint64_t>(faults)) -
                            ours_two - 100 * survey.pair_share(survey.unreachable);
    table.rows.push_back(compare_measured(label + ", 1 inter.", row["one"].get<double>(), 2, ours_one, .01));
    if (!row.contains("two")) {
      constexpr double kBound = .000001;
      table.rows.push_back(
          judge_statement(label + ", 2 inter.", "below 0.000001", ours_two, ours_two < kBound));
      table.rows.back().decimals = decimals;
      continue;
    }
    const double error =
        100 * survey.pair_share_error(2) * std::sqrt(1 + double(kTable1Samples) / kPaperSamples);
    const double digit = .5 * std::pow(10., -decimals);
    table.rows.push_back(printed.judged(compare_measured(label + ", 2 inter.", row["two"].get<double>(),
                                                         decimals, ours_two, digit + 3 * error)));
  }
  return table;
}

}  // namespace

PaperTable kns_table_1a(const PaperTableOptions& options) {
  return table_of(KnsShape(32, 2), "kns-table-1a", options);
}

PaperTable kns_table_1b(const PaperTableOptions& options) {
  return table_of(KnsShape(10, 3), "kns-table-1b", options);
}

}  // namespace flitmend
