// SPDX-License-Identifier: Apache-2.0
// Combinations of 15 faulty links per second on one thread: classified in full, or only tested for tolerance.
#include <benchmark/benchmark.h>

#include "analysis/kns_tolerance/survey.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kSamples = 20'000;

KnsSurveySettings settings_of(const benchmark::State& state) {
  KnsSurveySettings settings;
  settings.faults = 15;
  settings.jobs = 1;
  settings.max_intermediates = static_cast<unsigned>(state.range(2));
  return settings;
}

KnsShape shape_of(const benchmark::State& state) {
  return KnsShape(state.range(0), state.range(1));
}

void classify(benchmark::State& state, IntermediatePolicy policy) {
  KnsSurveySettings settings = settings_of(state);
  settings.policy = policy;
  for (auto _ : state) benchmark::DoNotOptimize(survey_samples(shape_of(state), settings, kSamples));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSamples));
}

void tolerance_only(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(count_tolerated(shape_of(state), settings_of(state), kSamples));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSamples));
}

}  // namespace

BENCHMARK_CAPTURE(classify, fewest, IntermediatePolicy::fewest)->Args({32, 2, 2})->Args({10, 3, 2});
BENCHMARK_CAPTURE(classify, minimal_first, IntermediatePolicy::minimal_first)
    ->Args({32, 2, 2})
    ->Args({10, 3, 2});
BENCHMARK(tolerance_only)->Args({32, 2, 1})->Args({32, 2, 2})->Args({10, 3, 1})->Args({10, 3, 2});

}  // namespace flitmend
