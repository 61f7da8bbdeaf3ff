// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/statistics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/probability_vectors/faults.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = KaryCube::Node;
constexpr double kMaxExperimentSteps = 1e12;  // more than an hour on one core
constexpr double kMaxFaultSets = 1e7;
constexpr std::uint64_t kPairsAReport = 256;

/// Counts by (Lee, Hamming) distance.
class DistanceTable {
 public:
  explicit DistanceTable(const KaryCube& cube)
      : columns_(cube.n() + 1), counts_(std::size_t{cube.diameter() + 1} * columns_) {}
  PvCounts& at(std::uint32_t lee, std::uint32_t hamming) { return counts_[lee * columns_ + hamming]; }
  void add(const DistanceTable& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  PvCounts total() const {
    PvCounts sum;
    for (const PvCounts& c : counts_) sum += c;
    return sum;
  }
  std::vector<PvDistanceCounts> entries() const {
    std::vector<PvDistanceCounts> result;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i].pairs)
        result.push_back(
            {static_cast<std::uint32_t>(i / columns_), static_cast<std::uint32_t>(i % columns_), counts_[i]});
    return result;
  }

 private:
  std::size_t columns_;
  std::vector<PvCounts> counts_;
};

/// The connected component of every healthy node over healthy links.
std::vector<Node> components(const ProbabilityVectorTable& table) {
  const KaryCube& cube = table.cube();
  std::vector<Node> component(cube.node_count(), cube.node_count());
  std::vector<Node> open;
  for (Node start = 0; start < cube.node_count(); ++start) {
    if (table.faulty(start) || component[start] != cube.node_count()) continue;
    component[start] = start;
    open.assign(1, start);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (unsigned port = 0; port < cube.ports(); ++port) {
        if (!(table.usable_ports(node) >> port & 1)) continue;
        const Node next = cube.neighbour(node, port);
        if (component[next] != cube.node_count()) continue;
        component[next] = start;
        open.push_back(next);
      }
    }
  }
  return component;
}

class FaultSetRun {
 public:
  FaultSetRun(const KaryCube& cube, const PvExperiment& experiment, std::uint64_t seed, std::uint32_t index)
      : cube_(cube),
        experiment_(experiment),
        faults_(draw_faults(seed, index)),
        pairs_(seed, RandomPurpose::analysis, index),
        ties_(seed, RandomPurpose::selection, index),
        table_(cube, experiment.arithmetic, faults_),
        component_(components(table_)) {
    for (Node node = 0; node < cube.node_count(); ++node)
      if (!table_.faulty(node)) healthy_.push_back(node);
  }

  DistanceTable run(std::uint64_t pairs, SurveyProgress& progress) {
    DistanceTable counts(cube_);
    PvRouter router(table_, experiment_.routing, faults_.count());
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const auto [source, destination] = draw_pair();
      count(router.route(source, destination, &ties_), source, destination, counts);
      if ((i + 1) % kPairsAReport == 0) progress.add(kPairsAReport);
    }
    progress.add(pairs % kPairsAReport);
    return counts;
  }

 private:
  KaryCubeFaults draw_faults(std::uint64_t seed, std::uint32_t index) const {
    RandomStream random(seed, RandomPurpose::static_faults, index);
    return random_faults(cube_, experiment_.faulty_nodes, experiment_.faulty_links, random);
  }

  /// Uniform over the requested pairs, by rejection.
  std::pair<Node, Node> draw_pair() {
    constexpr unsigned kMaxDraws = 10'000'000;
    const auto healthy = static_cast<std::uint32_t>(healthy_.size());
    for (unsigned draw = 0; draw < kMaxDraws; ++draw) {
      const Node source = healthy_[pairs_.below(healthy)], destination = healthy_[pairs_.below(healthy)];
      if (source == destination) continue;
      if (experiment_.only_lee && cube_.lee_distance(source, destination) != experiment_.only_lee) continue;
      if (experiment_.only_hamming && cube_.hamming_distance(source, destination) != experiment_.only_hamming)
        continue;
      return {source, destination};
    }
    throw ConfigurationError(
        "probability routing: no pair of healthy nodes at the requested distance was drawn");
  }

  void count(const PvRoute& route, Node source, Node destination, DistanceTable& counts) {
    const std::uint32_t lee = cube_.lee_distance(source, destination);
    PvCounts& c = counts.at(lee, cube_.hamming_distance(source, destination));
    ++c.pairs;
    c.disconnected += component_[source] != component_[destination];
    switch (route.status) {
      case PvStatus::delivered:
        ++c.delivered;
        c.minimal += route.hops == lee;
        c.within_2 += route.hops <= lee + 2;
        c.within_4 += route.hops <= lee + 4;
        c.hops += route.hops;
        c.hops_squared += route.hops * route.hops;
        break;
      case PvStatus::failed:
        ++c.failed;
        break;
      case PvStatus::looping:
        ++c.looping;
        if (experiment_.routing.learn_from_loops) table_.add_unreachable(route.last, destination);
        break;
    }
  }

  const KaryCube& cube_;
  const PvExperiment& experiment_;
  KaryCubeFaults faults_;
  RandomStream pairs_;
  RandomStream ties_;
  ProbabilityVectorTable table_;
  std::vector<Node> component_;
  std::vector<Node> healthy_;
};

/// Hops that a looping message makes beyond its distance.
std::uint64_t loop_detour(const KaryCube& cube, const PvExperiment& e) {
  return PvRouter::detour_limit(e.routing, cube, std::size_t{e.faulty_nodes} + e.faulty_links);
}

void check(const KaryCube& cube, const PvExperiment& e) {
  if (e.pairs == 0) throw ConfigurationError("probability routing: 0 pairs requested; draw at least one");
  if (e.fault_sets == 0)
    throw ConfigurationError("probability routing: 0 fault sets requested; draw at least one");
  check_fault_counts(cube, e.faulty_nodes, e.faulty_links);
  const double nodes = cube.node_count(), elements = cube.diameter() + 1.0;
  if (nodes * elements > static_cast<double>(ProbabilityVectorTable::kMaxElements))
    throw ConfigurationError("probability routing: the vectors of the " + cube.description() +
                             " have more than 2^27 elements (1 GiB); make k or n smaller");
  const double sets = static_cast<double>(std::min(e.fault_sets, e.pairs));
  const double exchange = nodes * elements * cube.ports();
  // Otherwise a loop is detected when it closes.
  const bool walks_to_the_limit = e.routing.ties == PvTies::random || e.routing.learn_from_loops;
  const double hops =
      cube.diameter() + (walks_to_the_limit ? static_cast<double>(loop_detour(cube, e)) : 0.0);
  const double a_pair = hops * cube.ports() + (e.routing.learn_from_loops ? exchange : 0);
  const double steps = sets * exchange + static_cast<double>(e.pairs) * a_pair;
  if (steps > kMaxExperimentSteps || sets > kMaxFaultSets)
    throw ConfigurationError("probability routing: " + counted(e.pairs, "pair") + " over " +
                             counted(e.fault_sets, "fault set") + " of the " + cube.description() +
                             " would take hours; draw fewer");
  if (e.only_lee > cube.diameter() || e.only_hamming > cube.n())
    throw ConfigurationError(formatted(
        "probability routing: no two nodes of the %1% are at Lee distance %2% and Hamming distance %3%",
        cube.description(), e.only_lee, e.only_hamming));
}

}  // namespace

PvCounts& PvCounts::operator+=(const PvCounts& o) {
  pairs += o.pairs;
  delivered += o.delivered;
  minimal += o.minimal;
  within_2 += o.within_2;
  within_4 += o.within_4;
  failed += o.failed;
  looping += o.looping;
  disconnected += o.disconnected;
  hops += o.hops;
  hops_squared += o.hops_squared;
  return *this;
}

PvStatistics probability_routing_statistics(const PvExperiment& experiment, std::uint64_t seed, unsigned jobs,
                                            SurveyListener* listener) {
  const KaryCube cube(experiment.k, experiment.n);
  check(cube, experiment);
  // Fault sets are independent; those without pairs are left out.
  const std::uint64_t sets = std::min(experiment.fault_sets, experiment.pairs);
  std::vector<PvCounts> by_set(sets);
  const std::uint64_t chunks = std::min<std::uint64_t>(sets, 64);
  // Every thread has its own table.
  const std::size_t elements = std::size_t{cube.node_count()} * (cube.diameter() + 1);
  jobs = std::min(thread_count(jobs, chunks), static_cast<unsigned>(std::max<std::size_t>(
                                                  1, 2 * ProbabilityVectorTable::kMaxElements / elements)));
  SurveyProgress progress(listener, experiment.pairs);
  std::vector<DistanceTable> by_chunk(chunks, DistanceTable(cube));
  parallel_for(jobs, chunks, [&](std::size_t chunk) {
    for (std::uint64_t set = chunk; set < sets; set += chunks) {
      const std::uint64_t pairs = experiment.pairs / sets + (set < experiment.pairs % sets ? 1 : 0);
      const DistanceTable counts =
          FaultSetRun(cube, experiment, seed, experiment.first_fault_set + static_cast<std::uint32_t>(set))
              .run(pairs, progress);
      by_set[set] = counts.total();
      by_chunk[chunk].add(counts);
    }
  });

  DistanceTable sum(cube);
  for (const DistanceTable& counts : by_chunk) sum.add(counts);
  PvStatistics statistics;
  statistics.all = sum.total();
  statistics.by_distance = sum.entries();
  double deviation = 0;
  for (const PvDistanceCounts& d : statistics.by_distance)
    deviation += static_cast<double>(d.counts.hops - d.counts.delivered * d.lee) / d.lee;
  if (statistics.all.delivered)
    statistics.deviation_percent = 100 * deviation / static_cast<double>(statistics.all.delivered);
  if (sets > 1) {
    const double mean = statistics.all.share(statistics.all.delivered);
    double squares = 0;
    for (const PvCounts& c : by_set) {
      const double off = c.share(c.delivered) - mean;
      squares += off * off;
    }
    const double count = static_cast<double>(sets);
    statistics.delivered_within = grouped_share_interval(
        {mean, squares / (count - 1) / count, count, static_cast<double>(statistics.all.pairs)}, .95);
  }
  return statistics;
}

}  // namespace flitmend
