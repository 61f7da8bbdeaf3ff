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
  std::string message;               ///< empty when done
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

}  // namespace flitmend
