// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

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
