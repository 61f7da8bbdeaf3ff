// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/plan.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

#include "base/errors.h"
#include "exploration/sweeps/saturation_search.h"
#include "rtl_tlm/parameters.h"
#include "testbench/configuration/loader.h"
#include "testbench/traffic/synthetic_traffic.h"
#include "topologies/registry.h"

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

/// All units, but one of each seed, if they are few. Otherwise every value of every axis with at
/// most kMostValues, then combinations evenly spread.
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

Json PointRequest::axes() const {
  Json json = Json::object();
  for (const PointSetting& setting : settings) json[setting.key] = setting.value;
  return json;
}

SweepPlan::SweepPlan(const Sweep& sweep) : sweep_(sweep) {
  for (const SweepAxis& axis : sweep.axes)
    if (!axis.until) units_ *= static_cast<std::int64_t>(axis.points.size());
  if (const SweepAxis* axis = sweep.adaptive()) stride_ = SaturationSearch(*axis->until).most_points();
}

std::vector<PointSetting> SweepPlan::settings(std::int64_t unit) const {
  std::vector<std::int64_t> digits(sweep_.axes.size());
  for (std::size_t a = sweep_.axes.size(); a-- > 0;) {
    if (sweep_.axes[a].until) continue;
    const auto size = static_cast<std::int64_t>(sweep_.axes[a].points.size());
    digits[a] = unit % size;
    unit /= size;
  }
  // Combinations of the axes whose points have seeds of their own, and the number of this one.
  std::int64_t combinations = 1, combination = 0;
  const SweepAxis* const seeds = sweep_.seeds_shared_by ? sweep_.seed_axis() : nullptr;
  for (std::size_t a = 0; seeds && a < sweep_.axes.size(); ++a) {
    const SweepAxis& axis = sweep_.axes[a];
    if (&axis == seeds || axis.until || shares_seeds(axis)) continue;
    combinations *= static_cast<std::int64_t>(axis.points.size());
    combination = combination * static_cast<std::int64_t>(axis.points.size()) + digits[a];
  }
  std::vector<PointSetting> settings;
  for (std::size_t a = 0; a < sweep_.axes.size(); ++a) {
    const SweepAxis& axis = sweep_.axes[a];
    if (axis.until) continue;
    const auto p = static_cast<std::size_t>(digits[a]);
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      settings.push_back({axis.keys[k], axis.points[p][k], axis.places[p]});
    if (&axis == seeds)
      settings.back().value = axis.points[0][0].get<std::int64_t>() + digits[a] * combinations + combination;
  }
  return settings;
}

bool SweepPlan::shares_seeds(const SweepAxis& axis) const {
  const std::vector<std::string>& shared = *sweep_.seeds_shared_by;
  return std::any_of(axis.keys.begin(), axis.keys.end(), [&](const std::string& key) {
    return std::find(shared.begin(), shared.end(), key) != shared.end();
  });
}

Configuration SweepPlan::configuration(const PointRequest& request) const {
  std::vector<Override> overrides;
  for (const PointSetting& setting : request.settings)
    overrides.push_back({assignment_of(setting.key, setting.value), setting.place});
  Configuration configuration =
      read_configuration(sweep_.base_document, sweep_.base_name, overrides, sweep_.folders());
  if (configuration.waves.enabled)
    throw configuration.located(KeyError(
        "waves.enabled", "a sweep records no waveforms; use flitmend run for the point of interest"));
  if (configuration.statistics.messages)
    throw configuration.located(KeyError(
        "statistics.messages", "a sweep writes no messages.csv; use flitmend run for the point of interest"));
  if (configuration.statistics.events)
    throw configuration.located(KeyError(
        "statistics.events", "a sweep writes no events.csv; use flitmend run for the point of interest"));
  return configuration;
}

double SweepPlan::largest_load(std::int64_t unit) const {
  try {
    const Configuration c = configuration(point(unit));
    const HardwareParameters hardware = HardwareParameters::from(c.hardware);
    return flitmend::largest_load(c.traffic, *make_topology(c.network), hardware.injection_limit(),
                                  hardware.link.flit_bits());
  } catch (const ConfigurationError&) {
    return std::numeric_limits<double>::infinity();  // the unit's first point will report the error
  }
}

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
