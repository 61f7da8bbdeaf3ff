// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include "analysis/kary_ncube_model/kary_ncube_model.h"
#include "base/text.h"
#include "exploration/paper_tables/paper_table.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

KaryNcubeModelSettings eight_ary(std::int64_t n, std::int64_t length, std::int64_t channels,
                                 std::int64_t faulty) {
  KaryNcubeModelSettings settings;
  settings.n = n;
  settings.length = length;
  settings.virtual_channels = channels;
  settings.faulty_nodes = faulty;
  return settings;
}

std::string name_of(const KaryNcubeModelSettings& s) {
  return formatted("8-ary %d-cube, M = %d, V = %d, nf = %d", s.n, s.length, s.virtual_channels,
                   s.faulty_nodes);
}

/// Equations that are wrong as printed, evaluated as printed.
void add_misprints(PaperTable& table) {
  const KaryNcubeModel model(eight_ary(2, 32, 4, 0));
  const double hops = 2 * model.hops_per_dimension();
  // [Safaei06 eq. 8] adds K times the latency from the source, eq. 6; without load and faults that is one
  // cycle per hop.
  const double printed_latency = 32 + hops * hops;
  table.rows.push_back(
      compare_digits("eq. 8, no load, 8-ary 2-cube, M = 32", printed_latency, 4, model.zero_load_latency())
          .or_misprint_of(32 + hops,
                          "charges the whole path for every hop; without load it must give M + nK"));

  // [Safaei06 eq. 19] is the second moment of T + W + κ, κ failures of probability PB; here for T + W = 40,
  // PB = 1/2.
  constexpr double kOnce = 40, kAgain = .5;
  double second_moment = 0;
  for (int failures = 0; failures < 2000; ++failures)
    second_moment += std::pow(kOnce + failures, 2) * (1 - kAgain) * std::pow(kAgain, failures);
  const double odds = kAgain / (1 - kAgain);
  const double printed = kOnce * kOnce + odds * odds + 2 * kOnce * odds;
  const double meant = kOnce * kOnce + 2 * kOnce * odds + kAgain * (1 + kAgain) / std::pow(1 - kAgain, 2);
  table.rows.push_back(compare_digits("eq. 19, T + W = 40, PB = 0.5", printed, 4, second_moment)
                           .or_misprint_of(meant, "the last term has no variance: the square of a mean"));
}

/// The curves: the text says where they start, that they rise, and in what order they end.
void add_curves(PaperTable& table) {
  for (const std::int64_t n : {2, 3})
    for (const std::int64_t length : {32, 64})
      for (const std::int64_t channels : {4, 10}) {
        double with_fewer_faults = 1;
        for (const std::int64_t faulty : {0, 3, 5, 12}) {
          const KaryNcubeModelSettings settings = eight_ary(n, length, channels, faulty);
          const KaryNcubeModel model(settings);
          const double saturation = model.saturation_rate();
          double before = model.zero_load_latency();
          bool holds = saturation < with_fewer_faults;
          std::string points = formatted("latency %.1f", before);
          for (const double share : {.25, .5, .75, .95}) {
            const auto solution = model.solve(share * saturation);
            const double latency = solution ? solution->latency : 0;
            holds &= latency > before;
            before = latency;
            points += formatted(", %.1f", latency);
          }
          table.rows.push_back(judge_statement(name_of(settings) + ": saturation, 1e-6 messages/cycle/node",
                                               "latency rises with load, faults saturate it sooner",
                                               1e6 * saturation, holds)
                                   .note(points + " at 0, 25, 50, 75, 95 % of it"));
          with_fewer_faults = saturation;
        }
      }
}

/// The paper claims "good accuracy in all regions"; compared with a cycle-accurate simulation of the same
/// network.
void add_accuracy(PaperTable& table, const PrintedTable& printed) {
  for (const Json& row : printed.rows()) {
    const KaryNcubeModelSettings settings = eight_ary(2, 32, 4, row["faulty"].get<std::int64_t>());
    const double rate = row["rate"].get<double>();
    const double simulated = row["simulated"].get<double>();  // with faults the mean of six fault sets
    const auto solution = KaryNcubeModel(settings).solve(rate);
    const double latency = solution ? solution->latency : 0;
    table.rows.push_back(judge_statement(formatted("%s, rate %.3f: latency", name_of(settings), rate),
                                         formatted("simulation within 10 %% (%.1f)", simulated), latency,
                                         std::abs(latency - simulated) <= .1 * simulated));
  }
}

}  // namespace

PaperTable kary_ncube_model_figure_3(const PaperTableOptions&) {
  const PrintedTable printed("kary-ncube-model-figure-3");
  PaperTable table = printed.begin();
  add_misprints(table);
  add_curves(table);
  add_accuracy(table, printed);
  return table;
}

}  // namespace flitmend
