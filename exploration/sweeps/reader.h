// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "exploration/sweeps/database.h"
#include "exploration/sweeps/records.h"

namespace flitmend {

/// Reads results.sqlite of a sweep, also while the sweep is running.
class SweepReader {
 public:
  /// Whether the folder holds the results of a sweep.
  static bool has_results(const std::filesystem::path& folder);

  /// Throws ConfigurationError if the folder has no results, or if they are damaged or have another schema.
  explicit SweepReader(const std::filesystem::path& folder);

  /// schema, flitmend, base, base_name, sweep, sweep_name, complete; "" for a key that does not exist.
  std::string meta(const std::string& key) const { return database_.meta(key); }
  /// Whether every point has been run.
  bool complete() const { return meta("complete") == "1"; }
  /// In the order of the sweep.
  std::vector<AxisRecord> axes() const;

  /// Ids of the points that have ended, ascending.
  std::vector<std::int64_t> identifiers() const;
  /// In the order of ids; without stats, which can be large.
  std::vector<PointRecord> points() const;
  /// One point with everything; none if it has not ended.
  std::optional<PointRecord> point(std::int64_t id) const;
  /// stats.json of a point, without host; none if there is none.
  std::optional<Json> stats(std::int64_t id) const;
  /// By curve; none without an axis "until: saturation".
  std::vector<SaturationRecord> saturation() const;
  /// None if the point has not ended.
  std::optional<HostRecord> host(std::int64_t id) const;

  const std::filesystem::path& path() const { return database_.path(); }

 private:
  std::vector<PointRecord> select_points(Statement, bool with_stats) const;

  Database database_;
};

}  // namespace flitmend
