// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace flitmend {

using Json = nlohmann::ordered_json;

/// How a point of a sweep ended. to_word gives the words of the table.
enum class PointStatus {
  done,
  deadlock,         ///< the watchdog found one
  contract_broken,  ///< "contract-broken"
  unfinished,       ///< stopped by a limit of the configuration
  refused,          ///< an impossible configuration, one that is not proved free of deadlock, or not now:
                    ///< too little memory (exit status unfinished; --resume tries it again)
  crashed,          ///< its process was killed by a signal, or ended without an answer
  timed_out,        ///< "timed-out": longer than the sweep's timeout
};
std::string to_word(PointStatus);
/// Throws ConfigurationError for an unknown word.
PointStatus point_status(const std::string& word);

/// A row of `axes`.
struct AxisRecord {
  std::string name;
  std::vector<std::string> keys;  ///< dotted
  Json points = Json::array();
};

/// A row of `host`: data of one point that results must not depend on.
struct HostRecord {
  std::optional<double> cpu_seconds;
  std::optional<double> wall_seconds;  ///< lifetime of the point's process
  std::optional<double> flit_hops_per_second;
  std::optional<std::int64_t> peak_rss_bytes;
  std::string started;
  std::string finished;
  std::string host_name;
  std::string diagnostics;  ///< the last part of the standard error of the point's process
};

/// A row of `points` with its rows of `metrics`.
struct PointRecord {
  std::int64_t id = 0;
  Json axes = Json::object();  ///< dotted key to value
  std::string configuration;   ///< effective, YAML
  PointStatus status = PointStatus::done;
  std::optional<int> exit_status;    ///< of `flitmend run`; 128 + signal of a crash; none when timed out
  std::string message;               ///< when done: what the checks before it say, mostly nothing
  std::optional<std::string> stats;  ///< JSON
  std::map<std::string, double> metrics;
};

/// How the saturation search of a curve ended.
enum class SaturationStatus {
  found,
  not_reached,  ///< "not-reached": the highest load of the axis is below saturation
  at_start,     ///< "at-start": the lowest load of the axis is beyond it
  stopped,      ///< a point that did not end well prevented it
};
std::string to_word(SaturationStatus);
/// Throws ConfigurationError for an unknown word.
SaturationStatus saturation_status(const std::string& word);

/// A row of `saturation`.
struct SaturationRecord {
  std::int64_t curve = 0;
  Json axes = Json::object();  ///< of the other axes
  SaturationStatus status = SaturationStatus::found;
  std::optional<double> load;               ///< in the unit of traffic.load
  std::optional<double> throughput;         ///< traffic.accepted at 1.3 times that load, without drain
  std::optional<double> zero_load_latency;  ///< cycles
  std::optional<std::int64_t> zero_load_point;
  std::optional<std::int64_t> load_point;
  std::optional<std::int64_t> throughput_point;
  std::string message;  ///< empty when found
};

/// Version of the layout of results.sqlite. Increases whenever a table or column changes its name or meaning.
inline constexpr std::int64_t kSweepSchema = 1;

/// Name of the file in the folder of a sweep.
inline constexpr const char* kSweepFile = "results.sqlite";

/// The tables. All except `host` depend only on the sweep, not on the number of processors, on interruptions
/// or on the time of day. Their rows are in the order of their keys.
///
///   meta        schema, flitmend (version), base and base_name, sweep and sweep_name (texts and what
///               messages call them), files (those that the sweep names otherwise, with a digest of each; no
///               row if there are none), complete (1 once nothing is missing)
///   axes        in the order of the sweep. points: for one key a list of values; for several (zipped) a
///               list of lists; for "until: saturation" an empty list, because its loads follow from results
///   points      the runs that have ended. axes: dotted key to value, for every key that the point sets over
///               the base. stats: stats.json without host; NULL if there is none or the sweep does not keep
///               it
///   metrics     the numbers of stats that the sweep keeps, by dotted name; channels, histograms and
///               undefined numbers have no row
///   saturation  a row per curve of an "until: saturation" axis; axes: the other axes
///   host        what may differ between two runs of the same point
inline constexpr const char* kSweepTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE axes(
  position INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  keys TEXT NOT NULL,
  points TEXT NOT NULL);
CREATE TABLE points(
  id INTEGER PRIMARY KEY,
  axes TEXT NOT NULL,
  configuration TEXT NOT NULL,
  status TEXT NOT NULL,
  exit_status INTEGER,
  message TEXT NOT NULL,
  stats TEXT);
CREATE TABLE metrics(
  point INTEGER NOT NULL,
  name TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY(point, name)) WITHOUT ROWID;
CREATE TABLE saturation(
  curve INTEGER PRIMARY KEY,
  axes TEXT NOT NULL,
  status TEXT NOT NULL,
  load REAL,
  throughput REAL,
  zero_load_latency REAL,
  zero_load_point INTEGER,
  load_point INTEGER,
  throughput_point INTEGER,
  message TEXT NOT NULL);
CREATE TABLE host(
  point INTEGER PRIMARY KEY,
  cpu_seconds REAL,
  wall_seconds REAL,
  flit_hops_per_second REAL,
  peak_rss_bytes INTEGER,
  started TEXT,
  finished TEXT,
  host_name TEXT,
  diagnostics TEXT);
)";

}  // namespace flitmend
