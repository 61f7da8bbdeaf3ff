// SPDX-License-Identifier: Apache-2.0
#include "analysis/task_mapping/mapping_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random_stream.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};
constexpr NodeId kMostTabulated = 2048;  // nodes whose distances are kept: 16 MiB

class Distances {
 public:
  explicit Distances(const Topology& topology) : topology_(topology), nodes_(topology.node_count()) {
    if (nodes_ > kMostTabulated) return;
    table_.resize(std::size_t{nodes_} * nodes_);
    for (NodeId from = 0; from < nodes_; ++from)
      for (NodeId to = 0; to < nodes_; ++to)
        table_[std::size_t{from} * nodes_ + to] = topology.distance(from, to);
  }
  double operator()(NodeId from, NodeId to) const {
    return table_.empty() ? topology_.distance(from, to) : table_[std::size_t{from} * nodes_ + to];
  }

 private:
  const Topology& topology_;
  NodeId nodes_;
  std::vector<std::uint32_t> table_;
};

/// A mapping that moves.
class Mapping {
 public:
  Mapping(const MappingProblem& problem, const Distances& distances)
      : distances_(distances),
        partners_(problem.tasks),
        task_at_(problem.topology.node_count(), kNobody),
        place_(problem.tasks) {
    for (const TaskTraffic& traffic : problem.traffic) {
      if (traffic.from == traffic.to) continue;
      partners_[traffic.from].push_back({traffic.to, traffic.weight, true});
      partners_[traffic.to].push_back({traffic.from, traffic.weight, false});
    }
  }

  void shuffle(RandomStream& random) {
    std::vector<NodeId> nodes(task_at_.size());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    std::ranges::fill(task_at_, kNobody);
    for (std::uint32_t task = 0; task < place_.size(); ++task) {
      const auto left = static_cast<std::uint32_t>(nodes.size()) - task;
      std::swap(nodes[task], nodes[task + random.below(left)]);
      place_[task] = nodes[task];
      task_at_[nodes[task]] = task;
    }
  }

  /// Moves the task to that node, which is not its own; by how much the cost changes. move(task, where it
  /// was) takes that back.
  double try_move(std::uint32_t task, NodeId node) {
    const std::uint32_t other = task_at_[node];
    const double before = cost_of(task, kNobody) + cost_of(other, task);
    move(task, node);
    return cost_of(task, kNobody) + cost_of(other, task) - before;
  }
  /// Exchanges the task with what is at that node.
  void move(std::uint32_t task, NodeId node) {
    const std::uint32_t other = task_at_[node];
    const NodeId here = place_[task];
    place_[task] = node;
    task_at_[node] = task;
    task_at_[here] = other;
    if (other != kNobody) place_[other] = here;
  }
  const TaskPlaces& places() const { return place_; }

 private:
  struct Partner {
    std::uint32_t task;
    double weight;
    bool sends_to;
  };
  /// Of a task, or of none, without what it shares with another one.
  double cost_of(std::uint32_t task, std::uint32_t without) const {
    if (task == kNobody) return 0;
    double cost = 0;
    for (const Partner& partner : partners_[task]) {
      if (partner.task == without) continue;
      const NodeId here = place_[task], there = place_[partner.task];
      cost += partner.weight * (partner.sends_to ? distances_(here, there) : distances_(there, here));
    }
    return cost;
  }

  const Distances& distances_;
  std::vector<std::vector<Partner>> partners_;
  std::vector<std::uint32_t> task_at_;  ///< by node
  TaskPlaces place_;
};

/// One restart.
class Annealing {
 public:
  Annealing(const MappingProblem& problem, const Distances& distances, RandomStream random)
      : tasks_(problem.tasks),
        nodes_(problem.topology.node_count()),
        mapping_(problem, distances),
        random_(random) {
    for (const TaskTraffic& traffic : problem.traffic) total_weight_ += traffic.weight;
    mapping_.shuffle(random_);
  }

  TaskPlaces run() {
    if (nodes_ == 1) return mapping_.places();
    // Half of the moves that the cost speaks against are accepted at first.
    double temperature = mean_rise() / std::log(2.0);
    const std::uint64_t moves = std::min<std::uint64_t>(std::uint64_t{8} * tasks_ * nodes_, kMostMoves);
    for (unsigned quiet = 0; temperature > 0 && quiet < kQuietLevels; temperature *= kCooling)
      quiet = level(temperature, moves) * kFewMoves < moves ? quiet + 1 : 0;
    descend();
    return mapping_.places();
  }

 private:
  static constexpr double kCooling = 0.95;
  static constexpr std::uint64_t kMostMoves = 100'000;  // per temperature
  static constexpr std::uint64_t kFewMoves = 500;       // fewer than one of these moves change the cost
  static constexpr unsigned kQuietLevels = 3;

  NodeId other_node(std::uint32_t task) {
    const NodeId here = mapping_.places()[task], node = random_.below(nodes_ - 1);
    return node + (node >= here);
  }
  double mean_rise() {
    double sum = 0;
    constexpr unsigned kSamples = 200;
    for (unsigned i = 0; i < kSamples; ++i) {
      const std::uint32_t task = random_.below(tasks_);
      sum += std::abs(mapping_.try_move(task, other_node(task)));
    }
    return sum / kSamples;
  }
  /// Moves at one temperature; how many of them changed the cost.
  std::uint64_t level(double temperature, std::uint64_t moves) {
    std::uint64_t changed = 0;
    for (std::uint64_t i = 0; i < moves; ++i) {
      const std::uint32_t task = random_.below(tasks_);
      const NodeId here = mapping_.places()[task];
      const double change = mapping_.try_move(task, other_node(task));
      if (change <= 0 || random_.uniform() < std::exp(-change / temperature))
        changed += change != 0;
      else
        mapping_.move(task, here);
    }
    return changed;
  }
  /// Takes the first move that lowers the cost until there is none.
  void descend() {
    const double least = total_weight_ * 1e-9;  // sums are not exact
    for (bool better = true; better;) {
      better = false;
      for (std::uint32_t task = 0; task < tasks_; ++task)
        for (NodeId node = 0; node < nodes_; ++node) {
          const NodeId here = mapping_.places()[task];
          if (node == here) continue;
          if (mapping_.try_move(task, node) < -least)
            better = true;
          else
            mapping_.move(task, here);
        }
    }
  }

  std::uint32_t tasks_;
  NodeId nodes_;
  double total_weight_ = 0;
  Mapping mapping_;
  RandomStream random_;
};

}  // namespace

double mapping_cost(const MappingProblem& problem, const TaskPlaces& places) {
  double cost = 0;
  for (const TaskTraffic& traffic : problem.traffic)
    cost += traffic.weight * problem.topology.distance(places[traffic.from], places[traffic.to]);
  return cost;
}

MappingResults search_mapping(const MappingProblem& problem, const MappingSearch& search) {
  const Distances distances(problem.topology);
  MappingResults results;
  results.cost = results.random_best = std::numeric_limits<double>::infinity();
  for (std::uint32_t restart = 0; restart < search.restarts; ++restart) {
    TaskPlaces places =
        Annealing(problem, distances, RandomStream(search.seed, RandomPurpose::analysis, restart)).run();
    const double cost = mapping_cost(problem, places);
    results.restarts.push_back(cost);
    if (cost >= results.cost) continue;
    results.cost = cost;
    results.best = std::move(places);
  }
  RandomStream random(search.seed, RandomPurpose::analysis, 0, 1);
  Mapping mapping(problem, distances);
  double sum = 0;
  for (std::uint32_t i = 0; i < search.random_mappings; ++i) {
    mapping.shuffle(random);
    const double cost = mapping_cost(problem, mapping.places());
    sum += cost;
    results.random_best = std::min(results.random_best, cost);
    if (search.restarts > 0 || i > 0) continue;
    results.cost = cost;
    results.best = mapping.places();
  }
  results.random_mean = sum / search.random_mappings;
  return results;
}

}  // namespace flitmend
