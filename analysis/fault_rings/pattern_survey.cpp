// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/pattern_survey.h"

#include <algorithm>

#include "analysis/fault_rings/path_counts.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "base/random_stream.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr double kMaxSurveySteps = 1e12;           // about an hour on one core
constexpr std::uint64_t kMaxPatterns = 1'000'000;  // of all numbers of faulty nodes

struct PatternFound {
  double p_hit = 0;
  PairHits pairs;
  std::uint32_t ring_nodes = 0;
  std::uint64_t rejected = 0;
  bool f_ring = false;
};

PatternFound find(const RandomPatterns& patterns, FaultRegion region, RandomStream random) {
  PatternFound found;
  const FaultPattern pattern = patterns.draw(random, found.rejected);
  found.p_hit = count_paths_by_sweep(pattern, region, 1).p_hit();
  found.pairs = survey_pairs(pattern, region, 1);
  found.ring_nodes = pattern.ring_nodes();
  found.f_ring = pattern.kind() == RingKind::f_ring;
  return found;
}

/// `value(i)`: of pattern i; `draws`: of all patterns.
template <class Value>
PatternMean mean_of(std::uint64_t patterns, std::uint64_t draws, Value&& value) {
  PatternMean result;
  const auto count = static_cast<double>(patterns);
  for (std::uint64_t i = 0; i < patterns; ++i) {
    const double v = value(i);
    result.mean += v / count;
    result.least = std::min(result.least, v);
    result.most = std::max(result.most, v);
  }
  if (patterns < 2) return result;
  double squares = 0;
  for (std::uint64_t i = 0; i < patterns; ++i) {
    const double off = value(i) - result.mean;
    squares += off * off;
  }
  result.within = grouped_share_interval(
      {std::min(1.0, result.mean), squares / (count - 1) / count, count, static_cast<double>(draws)}, .95);
  return result;
}

PatternResult summary(std::uint32_t faulty_nodes, const PatternFound* found, std::uint64_t patterns) {
  PatternResult result;
  result.faulty_nodes = faulty_nodes;
  result.patterns = patterns;
  for (std::uint64_t i = 0; i < patterns; ++i) {
    result.rejected += found[i].rejected;
    result.f_rings += found[i].f_ring;
    result.ring_nodes += found[i].ring_nodes;
    result.pairs += found[i].pairs;
  }
  result.ring_nodes /= static_cast<double>(patterns);
  const std::uint64_t draws = std::max(patterns, result.pairs.pairs);
  result.of_paths = mean_of(patterns, draws, [&](std::uint64_t i) { return found[i].p_hit; });
  result.of_pairs = mean_of(patterns, draws, [&](std::uint64_t i) { return found[i].pairs.mean(); });
  return result;
}

}  // namespace

std::vector<PatternResult> survey_patterns(const PatternSurvey& survey, std::uint64_t seed, unsigned jobs,
                                           SurveyListener* listener) {
  if (survey.patterns == 0) throw ConfigurationError("fault rings: 0 patterns requested; draw at least one");
  if (survey.faulty_nodes.empty())
    throw ConfigurationError("fault rings: no number of faulty nodes given; give at least one");
  std::vector<std::uint32_t> sorted = survey.faulty_nodes;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw ConfigurationError(
        formatted("fault rings: %1% faulty nodes are given twice; give each number once", *twice));
  const double patterns = static_cast<double>(survey.patterns) * static_cast<double>(sorted.size());
  const double steps = patterns * pair_steps(survey.mesh);
  if (steps > kMaxSurveySteps || patterns > static_cast<double>(kMaxPatterns))
    throw ConfigurationError(
        formatted("fault rings: %1% for each of %2% in the %3% mesh would take hours; draw fewer",
                  counted(survey.patterns, "pattern"), counted(sorted.size(), "number") + " of faulty nodes",
                  survey.mesh.description()));
  std::vector<RandomPatterns> random;
  for (const std::uint32_t count : survey.faulty_nodes)
    random.emplace_back(survey.mesh, count, survey.shape, survey.regions);

  std::vector<PatternFound> found(survey.patterns * random.size());
  SurveyProgress progress(listener, found.size());
  parallel_for(jobs, found.size(), [&](std::size_t at) {
    const std::size_t axis = at / survey.patterns;
    found[at] =
        find(random[axis], survey.region,
             RandomStream(seed, RandomPurpose::analysis, static_cast<std::uint32_t>(at % survey.patterns),
                          survey.faulty_nodes[axis]));
    progress.add(1);
  });
  std::vector<PatternResult> results;
  for (std::size_t axis = 0; axis < random.size(); ++axis)
    results.push_back(summary(survey.faulty_nodes[axis], &found[axis * survey.patterns], survey.patterns));
  return results;
}

}  // namespace flitmend
