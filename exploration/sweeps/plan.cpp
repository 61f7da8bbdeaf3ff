// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/plan.h"

#include <algorithm>
#include <limits>

#include "base/errors.h"
#include "exploration/sweeps/saturation_search.h"
#include "rtl_tlm/parameters.h"
#include "testbench/configuration/loader.h"
#include "testbench/traffic/synthetic_traffic.h"
#include "topologies/registry.h"

namespace flitmend {

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
                                  hardware.flit_bits());
  } catch (const ConfigurationError&) {
    return std::numeric_limits<double>::infinity();  // the unit's first point will report the error
  }
}

}  // namespace flitmend
