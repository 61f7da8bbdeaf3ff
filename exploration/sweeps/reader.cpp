// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/reader.h"

#include "base/errors.h"
#include "exploration/sweeps/records.h"

namespace flitmend {
namespace {

/// The file in the folder. Throws ConfigurationError if it does not exist.
std::filesystem::path existing_file(const std::filesystem::path& folder) {
  if (!SweepReader::has_results(folder))
    throw ConfigurationError("no results of a sweep in " + folder.string() + ": it has no " + kSweepFile);
  return folder / kSweepFile;
}

Json json_at(const Database& database, const Statement& row, int column, const char* name) {
  Json json = Json::parse(row.text(column), nullptr, false);
  if (json.is_discarded()) database.damaged(std::string("the value in column ") + name + " is not JSON");
  return json;
}

/// The column `axes` of points and of saturation: keys with their values.
Json settings_at(const Database& database, const Statement& row, int column) {
  Json json = json_at(database, row, column, "axes");
  if (!json.is_object()) database.damaged("the value in column axes is not an object");
  return json;
}

/// A status by its word, with `from_word`.
template <class FromWord>
auto status_at(const Database& database, const Statement& row, int column, FromWord from_word) {
  try {
    return from_word(row.text(column));
  } catch (const ConfigurationError& e) {
    database.damaged(e.what());
  }
}

}  // namespace

bool SweepReader::has_results(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::is_regular_file(folder / kSweepFile, none);
}

SweepReader::SweepReader(const std::filesystem::path& folder)
    : database_(existing_file(folder), Database::Mode::read) {
  database_.check_schema(kSweepSchema, "a results file of a sweep", "sweep");
}

std::vector<AxisRecord> SweepReader::axes() const {
  std::vector<AxisRecord> axes;
  Statement select = database_.prepare("SELECT name, keys, points FROM axes ORDER BY position");
  while (select.step()) {
    AxisRecord axis{select.text(0), {}, json_at(database_, select, 2, "points")};
    const Json keys = json_at(database_, select, 1, "keys");
    for (const Json& key : keys) {
      if (!key.is_string()) database_.damaged("the value in column keys is not a list of texts");
      axis.keys.push_back(key.get<std::string>());
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::vector<PointRecord> SweepReader::select_points(Statement select, bool with_stats) const {
  std::vector<PointRecord> points;
  while (select.step()) {
    PointRecord p;
    p.id = select.integer(0);
    p.axes = settings_at(database_, select, 1);
    p.configuration = select.text(2);
    p.status = status_at(database_, select, 3, point_status);
    if (!select.is_null(4)) p.exit_status = static_cast<int>(select.integer(4));
    p.message = select.text(5);
    if (with_stats) p.stats = select.maybe_text(6);
    points.push_back(std::move(p));
  }
  Statement metrics = database_.prepare("SELECT name, value FROM metrics WHERE point = ?");
  for (PointRecord& p : points) {
    metrics.bind(1, p.id);
    while (metrics.step()) p.metrics[metrics.text(0)] = metrics.real(1);
  }
  return points;
}

std::vector<std::int64_t> SweepReader::identifiers() const {
  std::vector<std::int64_t> ids;
  Statement select = database_.prepare("SELECT id FROM points ORDER BY id");
  while (select.step()) ids.push_back(select.integer(0));
  return ids;
}

std::vector<PointRecord> SweepReader::points() const {
  return select_points(
      database_.prepare(
          "SELECT id, axes, configuration, status, exit_status, message FROM points ORDER BY id"),
      false);
}

std::optional<PointRecord> SweepReader::point(std::int64_t id) const {
  Statement select = database_.prepare(
      "SELECT id, axes, configuration, status, exit_status, message, stats FROM points WHERE id = ?");
  select.bind(1, id);
  std::vector<PointRecord> found = select_points(std::move(select), true);
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::optional<Json> SweepReader::stats(std::int64_t id) const {
  Statement select = database_.prepare("SELECT stats FROM points WHERE id = ?");
  select.bind(1, id);
  if (!select.step() || select.is_null(0)) return std::nullopt;
  return json_at(database_, select, 0, "stats");
}

std::vector<SaturationRecord> SweepReader::saturation() const {
  std::vector<SaturationRecord> curves;
  Statement select = database_.prepare(
      "SELECT curve, axes, status, load, throughput, zero_load_latency, zero_load_point, load_point, "
      "throughput_point, message FROM saturation ORDER BY curve");
  while (select.step()) {
    SaturationRecord s;
    s.curve = select.integer(0);
    s.axes = settings_at(database_, select, 1);
    s.status = status_at(database_, select, 2, saturation_status);
    s.load = select.maybe_real(3);
    s.throughput = select.maybe_real(4);
    s.zero_load_latency = select.maybe_real(5);
    s.zero_load_point = select.maybe_integer(6);
    s.load_point = select.maybe_integer(7);
    s.throughput_point = select.maybe_integer(8);
    s.message = select.text(9);
    curves.push_back(std::move(s));
  }
  return curves;
}

std::optional<HostRecord> SweepReader::host(std::int64_t id) const {
  Statement select = database_.prepare(
      "SELECT cpu_seconds, wall_seconds, flit_hops_per_second, peak_rss_bytes, started, finished, host_name, "
      "diagnostics FROM host WHERE point = ?");
  select.bind(1, id);
  if (!select.step()) return std::nullopt;
  return HostRecord{select.maybe_real(0), select.maybe_real(1), select.maybe_real(2), select.maybe_integer(3),
                    select.text(4),       select.text(5),       select.text(6),       select.text(7)};
}

}  // namespace flitmend
