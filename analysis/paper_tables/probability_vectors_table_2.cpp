#include <cmath>

#include "analysis/paper_tables/tables.h"
#include "analysis/probability_vectors/bounds.h"
#include "analysis/probability_vectors/statistics.h"

namespace flitmend {
namespace {

struct Printed {
  std::uint32_t lee;
  std::uint32_t hamming;
  double calculated;
  double measured;
};
constexpr Printed kPrinted[] = {
    {1, 1, .954, 1},    {2, 1, .852, .922},  {2, 2, .885, .970},  {3, 1, .714, .888},  {3, 2, .751, .925},
    {3, 3, .783, .962}, {4, 1, .570, .877},  {4, 2, .604, .889},  {4, 3, .636, .942},  {5, 2, .467, .894},
    {5, 3, .495, .908}, {6, 2, .351, .885},  {7, 2, .258, .873},  {8, 2, .187, .877},  {8, 3, .200, .878},
    {9, 3, .144, .862}, {10, 3, .103, .865}, {11, 3, .073, .870}, {12, 3, .052, .892},
};
constexpr std::uint32_t kFaults = 153;
constexpr std::uint64_t kPairs = 300000;

const PvCounts& at(const PvStatistics& statistics, std::uint32_t lee, std::uint32_t hamming) {
  for (const PvDistanceCounts& d : statistics.by_distance)
    if (d.lee == lee && d.hamming == hamming) return d.counts;
  static const PvCounts none;
  return none;
}

/// Sampling error of a measured share: two standard deviations of both samples, and .01 for the fault sets,
/// whose number the paper does not tell.
double tolerance(double share, std::uint64_t pairs) {
  return .01 +
         2 * std::sqrt(2 * share * (1 - share) / static_cast<double>(std::max<std::uint64_t>(pairs, 1)));
}

}  // namespace

PaperTable probability_vectors_table_2(const PaperTableOptions& options) {
  PvExperiment experiment;
  experiment.k = 8;
  experiment.faulty_nodes = kFaults;
  experiment.pairs = kPairs;
  experiment.fault_sets = 300;
  const PvStatistics statistics = probability_routing_statistics(experiment, options.seed, options.jobs);
  PaperTable table;
  table.title =
      "Probability vectors, Table 2: probability of minimum-distance routing, 8-ary 3-cube, 153 faulty "
      "nodes";
  table.notes = {
      "Calculated: Theorem 1. Measured: share of all pairs delivered within l + 4 hops, 300,000 pairs",
      "over 300 random fault sets; strictly minimal cannot be meant, no routing has .922 at l = 2, h = 1."};
  for (const Printed& p : kPrinted) {
    const std::string label = "l = " + std::to_string(p.lee) + ", h = " + std::to_string(p.hamming);
    table.rows.push_back(compare_digits(label + ", calculated", p.calculated, 3,
                                        theorem1_bound(8, 3, kFaults, p.lee, p.hamming)));
    const PvCounts& counts = at(statistics, p.lee, p.hamming);
    table.rows.push_back(compare_measured(label + ", measured", p.measured, 3, counts.share(counts.within_4),
                                          tolerance(p.measured, counts.pairs)));
  }
  return table;
}

}  // namespace flitmend
