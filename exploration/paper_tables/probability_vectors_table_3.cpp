// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "analysis/probability_vectors/bounds.h"
#include "base/table.h"
#include "base/text.h"
#include "exploration/paper_tables/paper_table.h"
#include "exploration/paper_tables/sampled.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

struct Table3Row {
  std::uint32_t k;
  std::uint32_t lee;
  double measured;
  double calculated;
};

const PrintedTable& table_3() {
  static const PrintedTable printed("probability-vectors-table-3");
  return printed;
}

const std::vector<Table3Row>& table_3_rows() {
  static const std::vector<Table3Row> rows = [] {
    std::vector<Table3Row> all;
    for (const Json& row : table_3().rows())
      all.push_back({row["k"].get<std::uint32_t>(), row["l"].get<std::uint32_t>(),
                     row["measured"].get<double>(), row["calculated"].get<double>()});
    return all;
  }();
  return rows;
}

/// A fifth of the nodes, as a whole number.
std::uint32_t faults_of(std::uint32_t k) {
  return static_cast<std::uint32_t>(std::lround(.2 * k * k * k));
}

constexpr std::uint64_t kTable3Pairs = 12000000;
constexpr double kRounding = .0005;  // of what is printed

/// Index: Lee distance.
std::vector<SampledMean> measured_distances(std::uint32_t k, std::uint32_t faults,
                                            const PaperTableOptions& options) {
  PvExperiment experiment;
  experiment.k = k;
  experiment.faulty_nodes = faults;
  experiment.pairs = kTable3Pairs;
  experiment.fault_sets = kFaultSets;
  std::vector<std::vector<FaultSetSums>> by_lee(3 * (k / 2) + 1);
  for (const PvStatistics& set : by_fault_set(experiment, options)) {
    for (auto& sums : by_lee) sums.emplace_back();
    for (const PvDistanceCounts& d : set.by_distance) {
      FaultSetSums& sum = by_lee[d.lee].back();
      sum.above += static_cast<double>(d.counts.hops);
      sum.below += static_cast<double>(d.counts.delivered);
      sum.squares += static_cast<double>(d.counts.hops_squared);
    }
  }
  std::vector<SampledMean> distances;
  for (const auto& sums : by_lee) distances.push_back(sampled_mean(sums));
  return distances;
}

std::string label_of(const Table3Row& p) {
  return formatted("k = %1%, l = %2%", p.k, p.lee);
}

/// The measured rows of one network.
std::vector<MeasuredRow> measured_rows(std::uint32_t k, std::uint32_t faults,
                                       const PaperTableOptions& options) {
  const std::vector<SampledMean> distances = measured_distances(k, faults, options);
  std::vector<MeasuredRow> rows;
  for (const Table3Row& p : table_3_rows())
    if (p.k == k)
      rows.push_back({label_of(p) + ", measured", p.measured, distances[p.lee],
                      distances[p.lee].pairs / static_cast<double>(kTable3Pairs)});
  return rows;
}

/// The largest mean distance to nodes at Lee distance 3 in the 3-ary 3-cube that any set of five faulty nodes
/// gives, over all its pairs. Every set is a translate of one that contains node 0.
double largest_mean_at_three() {
  constexpr std::uint32_t kLee = 3;
  const KaryCube cube(3);
  const KaryCube::Node nodes = cube.node_count();
  KaryCubeFaults faults;
  double largest = 0;
  for (KaryCube::Node a = 1; a < nodes; ++a)
    for (KaryCube::Node b = a + 1; b < nodes; ++b)
      for (KaryCube::Node c = b + 1; c < nodes; ++c)
        for (KaryCube::Node d = c + 1; d < nodes; ++d) {
          faults.nodes = {0, a, b, c, d};
          const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
          PvRouter router(table, {}, faults.count());
          PvCounts counts;
          for (KaryCube::Node from = 0; from < nodes; ++from)
            for (KaryCube::Node to = 0; to < nodes; ++to) {
              if (table.faulty(from) || table.faulty(to) || cube.lee_distance(from, to) != kLee) continue;
              const PvRoute route = router.route(from, to, nullptr);
              if (route.status != PvStatus::delivered) continue;
              ++counts.delivered;
              counts.hops += route.hops;
            }
          largest = std::max(largest, counts.mean_hops().value_or(0));
        }
  return largest;
}

/// The row at k = 9, l = 9 against the other rows of its sample, whose misprints are mended.
ExpectedValue expected_at_nine(const std::vector<MeasuredRow>& ours) {
  constexpr std::uint32_t kSize = 9, kLee = 9;
  std::vector<MeasuredRow> rows;
  std::size_t nine = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (table_3_rows()[i].k != kSize) continue;
    if (table_3_rows()[i].lee == kLee) nine = rows.size();
    rows.push_back(ours[i]);
    rows.back().printed = table_3().meant(ours[i].label).value_or(ours[i].printed);
  }
  return expected_from_others(rows, nine);
}

/// A row that the other rows of its sample exclude, and ours too; which does not make them independent
/// witnesses.
PaperRow or_excluded_by_sample(PaperRow row, const ExpectedValue& expected, const PrintedSample& sample) {
  constexpr double kLimit = 3;  // standard deviations
  const double deviation = expected.deviation / std::sqrt(sample.fault_sets);
  if (std::abs(row.printed.value() - expected.value) <= kLimit * deviation ||
      std::abs(row.ours - expected.value) > row.tolerance)
    return row;
  return std::move(row).or_not_reproduced(
      formatted("the other printed rows of k = 9, by regression over fault sets, give %.3f, "
                "standard deviation %.3f; 9.975 would fit",
                expected.value, deviation));
}

/// The measured column of k = 7 is for another number of faulty nodes than the calculated one, if all of its
/// rows agree with that number. `ours`: the rows for faults_of(); `others`: for kOtherFaults at k = 7.
constexpr std::uint32_t kOtherSize = 7;
constexpr std::uint32_t kOtherFaults = 80;
void or_other_faults(std::vector<PaperRow>& ours, const std::vector<PaperRow>& others) {
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (table_3_rows()[i].k == kOtherSize && others[i].verdict != PaperVerdict::agrees) return;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    PaperRow& row = ours[i];
    if (table_3_rows()[i].k != kOtherSize || row.verdict != PaperVerdict::deviates) continue;
    row.verdict = PaperVerdict::misprint;
    row.reason =
        formatted("not for 69 faulty nodes: with 80 ours is %1%, and all nine measured rows of k = 7 agree",
                  formatted("%f", others[i].ours).substr(0, 5));
  }
}

/// A printed number of that column, mended if it is known to be wrong.
double mended(const Table3Row& p, const char* column, double printed) {
  return table_3().meant(formatted("%1%, %2%", label_of(p), column)).value_or(printed);
}

/// Claim 2: nodes at this distance are reached in no more hops, in the mean, than Theorem 2 says.
PaperRow claim_2(const Table3Row& p, const SampledMean& measured, double calculated) {
  constexpr double kErrors = 3;
  const double print_measured = mended(p, "measured", p.measured);
  const double print_calculated = mended(p, "calculated", p.calculated);
  PaperRow row = judge_statement(label_of(p) + ", claim 2", "at most " + with_decimals(calculated, 3),
                                 measured.value, measured.value <= calculated + kErrors * measured.error)
                     .or_refuted_if(print_measured > print_calculated,
                                    formatted("so it is in print: %.3f measured, %.3f calculated",
                                              print_measured, print_calculated));
  if (p.k != 3 || p.lee != 3) return row;
  return std::move(row).or_not_reproduced(
      formatted("not so in print, mended: %.3f measured, %.3f calculated", print_measured, print_calculated));
}

}  // namespace

std::optional<double> printed_deviation_percent(std::uint32_t k) {
  const KaryCube cube(k);
  double sum = 0;
  std::uint32_t found = 0;
  for (KaryCube::Node node = 1; node < cube.node_count(); ++node)
    for (const Table3Row& p : table_3_rows())
      if (p.k == k && p.lee == cube.lee_distance(0, node)) {
        sum += (p.measured - p.lee) / p.lee;
        ++found;
      }
  if (found + 1 < cube.node_count()) return std::nullopt;
  return 100 * sum / found;
}

double theorem2_deviation_percent(std::uint32_t k, std::uint32_t faults) {
  const KaryCube cube(k);
  const std::vector<double> distances = theorem2_average_distances(k, 3, faults);
  double sum = 0;
  for (KaryCube::Node node = 1; node < cube.node_count(); ++node) {
    const std::uint32_t lee = cube.lee_distance(0, node);
    sum += (distances[lee - 1] - lee) / lee;
  }
  return 100 * sum / (cube.node_count() - 1);
}

PaperTable probability_vectors_table_3(const PaperTableOptions& options) {
  std::vector<MeasuredRow> ours, others;
  for (const std::uint32_t k : {3u, 5u, 7u, 9u}) {
    const std::vector<MeasuredRow> rows = measured_rows(k, faults_of(k), options);
    const std::vector<MeasuredRow> other = k == kOtherSize ? measured_rows(k, kOtherFaults, options) : rows;
    ours.insert(ours.end(), rows.begin(), rows.end());
    others.insert(others.end(), other.begin(), other.end());
  }
  const double largest = largest_mean_at_three();
  const ExpectedValue at_nine = expected_at_nine(ours);
  const auto judge = [&](const PrintedSample& sample) {
    std::vector<PaperRow> rows = compare_sampled(ours, 3, sample);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Table3Row& p = table_3_rows()[i];
      // At k = 3, l = 3 the print is wrong only if no fault set can give it.
      if (p.k != 3 || p.lee != 3 || largest < p.measured - kRounding)
        rows[i] = table_3().judged(std::move(rows[i]), {formatted("%f", largest).substr(0, 6)});
      if (p.k == 9 && p.lee == 9) rows[i] = or_excluded_by_sample(std::move(rows[i]), at_nine, sample);
    }
    or_other_faults(rows, compare_sampled(others, 3, sample));
    return rows;
  };
  std::vector<PaperRow> measured = judge(PrintedSample{});
  const unsigned most = most_fault_sets(kFaultSets, PrintedSample{}, judge);
  PaperTable table = table_3().begin(
      {most == 0
           ? "measured rows agree for no number of fault sets."
           : formatted("measured rows agree, or are decided below, if it drew up to %1% fault sets.", most)});
  std::uint32_t k = 0;
  std::vector<double> calculated;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const Table3Row& p = table_3_rows()[i];
    if (p.k != k) {
      k = p.k;
      calculated = theorem2_average_distances(k, 3, faults_of(k));
    }
    table.rows.push_back(table_3().judged(
        compare_digits(label_of(p) + ", calculated", p.calculated, 3, calculated[p.lee - 1])));
    table.rows.push_back(std::move(measured[i]));
    table.rows.push_back(claim_2(p, ours[i].ours, calculated[p.lee - 1]));
  }
  return table;
}

}  // namespace flitmend
