// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/probability_vectors/bounds.h"
#include "analysis/probability_vectors/faults.h"
#include "base/text.h"
#include "exploration/paper_tables/paper_table.h"
#include "exploration/paper_tables/sampled.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

std::string faulty_set(const ProbabilityVectorTable& table, KaryCube::Node node) {
  std::string text;
  for (KaryCube::Node f = 0; f < table.cube().node_count(); ++f)
    if (table.faulty(f) && table.cube().lee_distance(node, f) == 1)
      text += (text.empty() ? "" : ",") + table.cube().label(f);
  return text;
}

}  // namespace

PaperTable probability_vectors_table_1(const PaperTableOptions&) {
  const KaryCube cube(3);
  const std::vector<std::string> faulty = {"011", "100", "110", "120", "220"};
  const ProbabilityVectorTable vectors(cube, PvArithmetic::plain, named_faults(cube, faulty, {}));
  const PrintedTable printed("probability-vectors-table-1");
  PaperTable table = printed.begin();
  for (const Json& row : printed.rows()) {
    const std::string name = row["node"].get<std::string>(), set = row["faulty_set"].get<std::string>();
    const KaryCube::Node node = cube.node_of(name);
    table.rows.push_back(judge_statement(name + " |F|", "F = {" + set + "}", 6 * vectors.vector(node)[0],
                                         faulty_set(vectors, node) == set));
    table.rows.back().decimals = 0;
    for (const unsigned hops : {1u, 2u}) {
      const std::string hops_text = std::to_string(hops);
      table.rows.push_back(printed.judged(compare_digits(
          name + " P_" + hops_text, row["p" + hops_text].get<double>(), 3, vectors.vector(node)[hops - 1])));
    }
  }
  return table;
}

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
