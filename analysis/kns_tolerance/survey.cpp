// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/survey.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "analysis/kns_tolerance/classifier.h"
#include "analysis/kns_tolerance/closed_forms.h"
#include "analysis/kns_tolerance/combinations.h"
#include "analysis/kns_tolerance/limits.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "base/text.h"

namespace flitmend {
namespace {

KnsSurvey::Count squared_difference(std::uint64_t a, std::uint64_t b) {
  const KnsSurvey::Count difference = a > b ? a - b : b - a;
  return difference * difference;
}

void add(KnsSurvey& sum, const KnsOutcome& outcome, unsigned max_intermediates) {
  ++sum.combinations;
  sum.connected += outcome.connected;
  std::uint64_t faulty = outcome.unreachable;
  for (unsigned x = 0; x <= max_intermediates; ++x) {
    sum.tolerated[x] += outcome.tolerated <= x;
    sum.pairs[x] += outcome.pairs[x];
    if (x > 0) faulty += outcome.pairs[x];
    if (x > 1) sum.pair_squares[x] += KnsSurvey::Count{outcome.pairs[x]} * outcome.pairs[x];
  }
  sum.unreachable += outcome.unreachable;
  sum.pair_squares[0] += squared_difference(faulty, sum.pairs_expected);
  sum.pair_squares[1] += squared_difference(outcome.pairs[1], sum.pairs_expected);
}

void add(KnsSurvey& sum, const KnsSurvey& part) {
  sum.combinations += part.combinations;
  sum.connected += part.connected;
  sum.unreachable += part.unreachable;
  for (std::size_t x = 0; x < sum.pairs.size(); ++x) {
    sum.tolerated[x] += part.tolerated[x];
    sum.pairs[x] += part.pairs[x];
    sum.pair_squares[x] += part.pair_squares[x];
  }
}

/// Calls visit(from, to, sum) for consecutive ranges of combinations, on all threads; one sum per range.
template <class Sum, class Visit>
std::vector<Sum> in_ranges(unsigned jobs, std::uint64_t combinations, Visit visit) {
  // Enough ranges to balance the threads, each long enough that setting up a classifier is negligible.
  const std::uint64_t ranges = std::clamp<std::uint64_t>(combinations / 256, 1, 1024);
  std::vector<Sum> sums(ranges);
  parallel_for(jobs, ranges, [&](std::size_t r) {
    const auto bound = [&](std::uint64_t i) {
      return combinations / ranges * i + std::min(i, combinations % ranges);
    };
    visit(bound(r), bound(r + 1), sums[r]);
  });
  return sums;
}

/// The links of one combination after the other.
class Links {
 public:
  Links(const KnsShape& shape, std::int64_t faults)
      : shape_(shape), numbers_(static_cast<std::size_t>(faults)), links_(numbers_.size()) {}

  std::span<const KnsLink> at_rank(std::uint64_t rank) {
    combination_of_rank(shape_.link_count(), rank, numbers_);
    return links();
  }
  std::span<const KnsLink> next() {
    next_combination(shape_.link_count(), numbers_);
    return links();
  }
  std::span<const KnsLink> sample(std::uint64_t seed, std::uint64_t i) {
    RandomStream random(seed, RandomPurpose::analysis, static_cast<std::uint32_t>(i));
    sampler_.draw(shape_.link_count(), numbers_, random);
    return links();
  }

 private:
  std::span<const KnsLink> links() {
    for (std::size_t i = 0; i < numbers_.size(); ++i) links_[i] = shape_.link(numbers_[i]);
    return links_;
  }

  const KnsShape& shape_;
  std::vector<std::uint32_t> numbers_;
  std::vector<KnsLink> links_;
  SubsetSampler sampler_;
};

void check_work(const KnsShape& shape, std::int64_t faults, std::uint64_t combinations) {
  const auto f = static_cast<double>(faults);
  if (static_cast<double>(combinations) * f * f * shape.n() > kMaxKnsWork)
    throw ConfigurationError(
        counted(combinations, "combination") + " of " + counted(static_cast<std::uint64_t>(faults), "fault") +
        " in " + shape.description() + " would take hours; draw fewer samples, or use fewer faults");
}

void check_samples(const KnsShape& shape, std::int64_t faults, std::uint64_t samples) {
  if (samples < 1 || samples > kMaxKnsSamples)
    throw ConfigurationError(formatted("samples is %1%; it must be 1 to %2%", samples, kMaxKnsSamples));
  check_work(shape, faults, samples);
}

}  // namespace

double KnsSurvey::pair_share_error(unsigned x) const {
  if (exhaustive || combinations < 2) return 0;
  const auto visited = static_cast<double>(combinations);
  // Sums of the differences from pairs_expected, like pair_squares; exact modulo 2^128.
  __extension__ using Signed = __int128;
  Count sum = pairs[x];
  if (x == 0) sum = Count{pairs_each} * combinations - sum;
  if (x < 2) sum -= Count{pairs_expected} * combinations;
  const double mean = static_cast<double>(static_cast<Signed>(sum)) / visited;
  const double variance = std::max(0.0, static_cast<double>(pair_squares[x]) / visited - mean * mean);
  return std::sqrt(variance / (visited - 1)) / static_cast<double>(pairs_each);
}

std::optional<ShareInterval> KnsSurvey::interval(std::uint64_t combinations_hit, double confidence) const {
  if (exhaustive) return std::nullopt;
  return share_interval(combinations_hit, combinations, confidence);
}

std::optional<ShareInterval> KnsSurvey::pair_interval(unsigned x, double confidence) const {
  if (exhaustive) return std::nullopt;
  const double error = pair_share_error(x), groups = static_cast<double>(combinations);
  return grouped_share_interval(
      {pair_share(pairs[x]), error * error, groups, groups * static_cast<double>(pairs_each)}, confidence);
}

KnsSurvey survey_all(const KnsShape& shape, const KnsSurveySettings& settings) {
  check_fault_count(shape, settings.faults);
  const auto combinations =
      combination_count(shape.link_count(), static_cast<std::uint64_t>(settings.faults));
  if (!combinations || *combinations > kMaxKnsCombinations)
    throw ConfigurationError(
        formatted("C(%1%, %2%) combinations are more than %3%, too many to visit; draw samples instead",
                  shape.link_count(), settings.faults, kMaxKnsCombinations));
  check_work(shape, settings.faults, *combinations);
  KnsSurvey survey;
  survey.exhaustive = true;
  survey.pairs_each = shape.pair_count();
  survey.pairs_expected = static_cast<std::uint64_t>(settings.faults) * kns_pairs_over_link(shape);
  SurveyProgress progress(settings.listener, *combinations);
  const auto parts = in_ranges<KnsSurvey>(
      settings.jobs, *combinations, [&](std::uint64_t from, std::uint64_t to, KnsSurvey& sum) {
        KnsClassifier classifier(shape, settings.max_intermediates, settings.policy);
        Links links(shape, settings.faults);
        sum.pairs_expected = survey.pairs_expected;
        for (std::uint64_t i = from; i < to; ++i) {
          add(sum, classifier.classify(i == from ? links.at_rank(i) : links.next()),
              settings.max_intermediates);
          progress.add(1);
        }
      });
  for (const KnsSurvey& part : parts) add(survey, part);
  return survey;
}

KnsSurvey survey_samples(const KnsShape& shape, const KnsSurveySettings& settings, std::uint64_t samples) {
  check_fault_count(shape, settings.faults);
  check_samples(shape, settings.faults, samples);
  KnsSurvey survey;
  survey.pairs_each = shape.pair_count();
  survey.pairs_expected = static_cast<std::uint64_t>(settings.faults) * kns_pairs_over_link(shape);
  SurveyProgress progress(settings.listener, samples);
  const auto parts =
      in_ranges<KnsSurvey>(settings.jobs, samples, [&](std::uint64_t from, std::uint64_t to, KnsSurvey& sum) {
        KnsClassifier classifier(shape, settings.max_intermediates, settings.policy);
        Links links(shape, settings.faults);
        sum.pairs_expected = survey.pairs_expected;
        for (std::uint64_t i = from; i < to; ++i) {
          add(sum, classifier.classify(links.sample(settings.seed, i)), settings.max_intermediates);
          progress.add(1);
        }
      });
  for (const KnsSurvey& part : parts) add(survey, part);
  return survey;
}

std::uint64_t count_tolerated(const KnsShape& shape, const KnsSurveySettings& settings,
                              std::uint64_t samples) {
  check_fault_count(shape, settings.faults);
  check_samples(shape, settings.faults, samples);
  SurveyProgress progress(settings.listener, samples);
  const auto parts = in_ranges<std::uint64_t>(
      settings.jobs, samples, [&](std::uint64_t from, std::uint64_t to, std::uint64_t& sum) {
        KnsClassifier classifier(shape, settings.max_intermediates, settings.policy);
        Links links(shape, settings.faults);
        for (std::uint64_t i = from; i < to; ++i) {
          sum += classifier.tolerates(links.sample(settings.seed, i));
          progress.add(1);
        }
      });
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

}  // namespace flitmend
