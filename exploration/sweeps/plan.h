// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "exploration/sweeps/sweep.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/unused_keys.h"

namespace flitmend {

/// A key that a point sets, overriding the base configuration.
struct PointSetting {
  std::string key;
  Json value;
  Place place;  ///< where the user gave it
};

/// A point to run.
struct PointRequest {
  std::int64_t id = 0;
  std::vector<PointSetting> settings;

  /// The column `axes`.
  Json axes() const;
};

/// Numbers the work of a sweep. A unit is one combination of the axes' points, with the last axis fastest: a
/// point or, with an axis "until: saturation", a curve of points. Ids of points depend only on the sweep;
/// those of a curve start at unit · stride, and some are never used.
class SweepPlan {
 public:
  /// The sweep must outlive this.
  explicit SweepPlan(const Sweep&);

  std::int64_t units() const { return units_; }
  std::int64_t stride() const { return stride_; }
  bool adaptive() const { return sweep_.adaptive() != nullptr; }
  /// Of all axes except the one with until: saturation.
  std::vector<PointSetting> settings(std::int64_t unit) const;
  PointRequest point(std::int64_t unit) const { return {unit, settings(unit)}; }

  /// The base configuration with the settings applied. Throws ConfigurationError for an impossible
  /// combination.
  Configuration configuration(const PointRequest&) const;

  /// The highest traffic.load that the nodes of a unit can inject; infinity if its configuration is
  /// impossible.
  double largest_load(std::int64_t unit) const;

  const Sweep& sweep() const { return sweep_; }

 private:
  bool shares_seeds(const SweepAxis&) const;

  const Sweep& sweep_;
  std::int64_t units_ = 1;
  std::int64_t stride_ = 1;
};

/// Keys of the sweep and of its base that have no effect at any of its points, as far as they are looked at:
/// one for every value of every axis (of up to 1000), and 500 combinations of the axes, evenly spread. Seeds
/// do not matter.
std::vector<UnusedKey> unused_keys(const SweepPlan&);

}  // namespace flitmend
