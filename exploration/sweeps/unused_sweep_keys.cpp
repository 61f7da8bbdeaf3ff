// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/unused_sweep_keys.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr std::int64_t kMostValues = 1000;       // of an axis, looked at in turn
constexpr std::int64_t kMostCombinations = 500;  // looked at besides

/// An axis whose values can decide which keys have an effect.
struct Digit {
  std::int64_t size = 1;
  std::int64_t stride = 1;  ///< what one step of it adds to the unit
};

/// Without that of the seeds: no key has its effect from a seed.
std::vector<Digit> digits_of(const SweepPlan& plan) {
  std::vector<Digit> digits;
  const std::vector<SweepAxis>& axes = plan.sweep().axes;
  std::int64_t stride = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (axis->until) continue;
    const auto size = static_cast<std::int64_t>(axis->points.size());
    if (&*axis != plan.sweep().seed_axis()) digits.push_back({size, stride});
    stride *= size;
  }
  return digits;
}

/// The unit of a combination of these axes, the first of them fastest.
std::int64_t unit_of(const std::vector<Digit>& digits, std::int64_t combination) {
  std::int64_t unit = 0;
  for (const Digit& digit : digits) {
    unit += combination % digit.size * digit.stride;
    combination /= digit.size;
  }
  return unit;
}

/// All units, but one of each seed, if they are few. Otherwise every value of every axis comes up, as far as
/// there are at most kMostValues, then combinations evenly spread.
std::vector<std::int64_t> looked_at(const SweepPlan& plan) {
  if (plan.units() == 0) return {};
  const std::vector<Digit> digits = digits_of(plan);
  std::int64_t combinations = 1, longest = 1;
  for (const Digit& digit : digits) {
    combinations *= digit.size;
    longest = std::max(longest, digit.size);
  }
  std::vector<std::int64_t> units;
  if (combinations <= kMostCombinations) {
    for (std::int64_t c = 0; c < combinations; ++c) units.push_back(unit_of(digits, c));
    return units;
  }
  const std::int64_t rows = std::min(longest, kMostValues);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t unit = 0;
    for (const Digit& digit : digits)
      unit += (digit.size <= rows ? row % digit.size : row * digit.size / rows) * digit.stride;
    units.push_back(unit);
  }
  // Steps of the golden ratio spread best; with no divisor in common with the axes, none comes up twice.
  auto step = static_cast<std::int64_t>(0.618034 * static_cast<double>(combinations));
  while (std::gcd(step, combinations) != 1) ++step;
  for (std::int64_t i = 0, c = 0; i < kMostCombinations; ++i, c = (c + step) % combinations)
    units.push_back(unit_of(digits, c));
  return units;
}

}  // namespace

std::vector<UnusedKey> unused_keys(const SweepPlan& plan) {
  std::optional<std::vector<UnusedKey>> common;
  for (const std::int64_t unit : looked_at(plan)) {
    if (common && common->empty()) break;
    std::vector<UnusedKey> here;
    try {
      here = unused_keys(plan.configuration(plan.point(unit)), KeyReader::run);
    } catch (const ConfigurationError&) {
      continue;  // the point itself will report the error
    }
    if (!common)
      common = std::move(here);
    else
      std::erase_if(*common, [&](const UnusedKey& key) {
        return std::none_of(here.begin(), here.end(),
                            [&](const UnusedKey& other) { return other.path == key.path; });
      });
  }
  return common.value_or(std::vector<UnusedKey>());
}

}  // namespace flitmend
