// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/probability_vectors/bounds.h"
#include "base/text.h"
#include "exploration/paper_tables/printed_table.h"
#include "exploration/paper_tables/sampled.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

struct Table2Row {
  std::uint32_t lee;
  std::uint32_t hamming;
  double calculated;
  double measured;
};

const PrintedTable& table_2() {
  static const PrintedTable printed("probability-vectors-table-2");
  return printed;
}

std::vector<Table2Row> table_2_rows() {
  std::vector<Table2Row> rows;
  for (const Json& row : table_2().rows())
    rows.push_back({row["l"].get<std::uint32_t>(), row["h"].get<std::uint32_t>(),
                    row["calculated"].get<double>(), row["measured"].get<double>()});
  return rows;
}

constexpr std::uint32_t kTable2Faults = 153;
constexpr std::uint64_t kTable2Pairs = 9000000;

std::vector<MeasuredRow> measured_rows(const PaperTableOptions& options) {
  PvExperiment experiment;
  experiment.k = 8;
  experiment.faulty_nodes = kTable2Faults;
  experiment.pairs = kTable2Pairs;
  experiment.fault_sets = kFaultSets;
  const std::vector<PvStatistics> sets = by_fault_set(experiment, options);
  std::vector<MeasuredRow> rows;
  for (const Table2Row& p : table_2_rows()) {
    std::vector<FaultSetSums> sums;
    for (const PvStatistics& set : sets) {
      FaultSetSums& sum = sums.emplace_back();
      for (const PvDistanceCounts& d : set.by_distance)
        if (d.lee == p.lee && d.hamming == p.hamming) {
          sum.above = sum.squares = static_cast<double>(d.counts.within_4);
          sum.below = static_cast<double>(d.counts.pairs);
        }
    }
    const SampledMean ours = sampled_mean(sums);
    rows.push_back({formatted("l = %1%, h = %2%, measured", p.lee, p.hamming), p.measured, ours,
                    ours.pairs / static_cast<double>(kTable2Pairs)});
  }
  return rows;
}

}  // namespace

PaperTable probability_vectors_table_2(const PaperTableOptions& options) {
  const std::vector<MeasuredRow> ours = measured_rows(options);
  const auto odd = static_cast<std::size_t>(
      std::find_if(ours.begin(), ours.end(),
                   [](const MeasuredRow& row) { return row.label == "l = 4, h = 3, measured"; }) -
      ours.begin());
  const std::string expected = formatted("%f", expected_from_others(ours, odd).value).substr(1, 4);
  const auto judge = [&](const PrintedSample& sample) {
    std::vector<PaperRow> rows = compare_sampled(ours, 3, sample);
    rows.at(odd) = table_2().judged(std::move(rows.at(odd)), {expected});
    return rows;
  };
  std::vector<PaperRow> measured = judge(PrintedSample{});
  const unsigned most = most_fault_sets(kFaultSets, PrintedSample{}, judge);
  PaperTable table = table_2().begin(
      {most == 0 ? "rows agree for no number of fault sets."
                 : formatted("rows agree, or are misprints, if the paper drew up to %1% fault sets.", most)});
  const std::vector<Table2Row> printed = table_2_rows();
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const Table2Row& p = printed[i];
    const std::string label = formatted("l = %1%, h = %2%", p.lee, p.hamming);
    table.rows.push_back(compare_digits(label + ", calculated", p.calculated, 3,
                                        theorem1_bound(8, 3, kTable2Faults, p.lee, p.hamming)));
    table.rows.push_back(std::move(measured[i]));
  }
  return table;
}

}  // namespace flitmend
