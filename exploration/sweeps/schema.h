// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// The layout of results.sqlite: grows whenever a table or column changes its name or meaning.
inline constexpr std::int64_t kSweepSchema = 1;

/// The file's name inside the folder of a sweep.
inline constexpr const char* kSweepFile = "results.sqlite";

/// The tables. All but `host` depend on the sweep alone: not on the processors at work, on interruptions, or
/// on the time of day; and their rows stand in the order of their keys.
///
///   meta        schema, flitmend (version), base and base_name, sweep and sweep_name (texts and what
///   messages
///               call them), complete (1 once nothing is missing)
///   axes        in the order of the sweep. points: of one key a list of values; of several (zipped) a list
///   of
///               lists; of "until: saturation" an empty list, for its loads follow from the results
///   points      the runs that have ended. axes: dotted key to value, every key that the point sets over the
///               base. stats: stats.json without host; NULL where there is none or the sweep does not keep it
///   metrics     the numbers of stats that the sweep keeps, by dotted name; channels, histograms and
///   undefined
///               numbers have no row
///   saturation  a row for each curve of an "until: saturation" axis; axes: of the other axes
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
