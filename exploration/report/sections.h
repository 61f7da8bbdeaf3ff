// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "exploration/report/fault_events.h"
#include "exploration/report/page.h"
#include "exploration/report/stored_stats.h"
#include "exploration/report/sweep_curves.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/reader.h"
#include "testbench/checks/verdict_cache.h"
#include "testbench/configuration/configuration.h"
#include "topologies/topology.h"

namespace flitmend {

// The pages of reports, and their parts; a file for each.

/// The results of one run, with the label by which a reader selects it.
struct LabelledStats {
  std::string label;
  StoredStats stats;
};

/// Adds a picture of the distribution of latency.total, with a choice among the runs that have one. If none
/// has, adds nothing and returns false.
bool add_histogram(ReportPage&, const std::vector<LabelledStats>&);

/// Adds a map of the network, its channels coloured by utilisation, with a choice among the runs that have it
/// for every channel of this topology. If none has, adds nothing and returns false. Parts that were dead at
/// the end of these runs are marked.
bool add_map(ReportPage&, const Topology&, const std::vector<LabelledStats>&,
             const std::vector<FaultEvents::Outage>& = {});

/// Adds a map of the network with what failed: nodes and switches by whether they failed, channels by how
/// often they did. If the network is too large, adds nothing.
void add_fault_map(ReportPage&, const Topology&, const std::vector<FaultEvents::Outage>&);

/// Pictures of the run over time and of where flits waited, each with its heading; nothing if the run has no
/// such statistic. `topology`: null if it is not known; then there is no map.
void add_time_line(ReportPage&, const StoredStats&);
void add_blocking(ReportPage&, const StoredStats&, const Topology*);

/// The page about a run's folder: stats.json, and config.yaml if it exists. Throws ConfigurationError if
/// stats.json cannot be read, is not a JSON object, or has another schema.
ReportPage run_report(const std::filesystem::path& folder);

/// A page about the folder of a sweep. Throws ConfigurationError where its results cannot be read.
ReportPage sweep_report(const std::filesystem::path& folder);

/// "200 points; axes: router.virtual_channels (4) × traffic.load (10) × simulation.seed (5)"
std::string sweep_text(const SweepReader&, const std::vector<PointRecord>& points);

/// What is missing from a sweep, and which points failed.
void add_sweep_warnings(ReportPage&, const SweepReader&, const std::vector<PointRecord>& points);

/// Curves, with the numbers of others next to them, saturation points, pictures of single runs, all points,
/// the configuration.
void add_sweep_results(ReportPage&, const SweepReader&, const std::vector<PointRecord>& points,
                       const std::vector<StudyReference>& = {});

/// Curves of a sweep: latency, throughput, any statistic, and a table; with the numbers of others next to
/// them.
void add_curves(ReportPage&, const SweepReader&, const std::vector<PointRecord>& points,
                const std::vector<StudyReference>&);

/// The page about a study's folder: its statements with their verdicts and all comparisons, then each of its
/// sweeps. Throws ConfigurationError if its results cannot be read.
ReportPage study_report(const std::filesystem::path& folder);

/// The part of a run's page about its faults: how many messages they hit, a time line of faults and
/// recoveries, the latency of hit messages next to that of the others, what senders kept, and a map with what
/// failed. `topology`: null if it is not known; `events`: none if the run did not record them. `certain`:
/// what failed as far as it is known without them (certain_outages).
void add_faults(ReportPage&, const StoredStats&, const Topology* topology,
                const std::optional<FaultEvents>& events, const std::vector<FaultEvents::Outage>& certain);

/// The most channels between routers with which the report on a run has the picture. It takes about 300 bytes
/// per channel.
inline constexpr std::uint64_t kMostReportedChannels = 4000;

/// Adds the verdict on the configuration of a run, what the check says in detail, and deadlock_picture.
/// `kept` is the check that the run kept (kCheckFile); none: a check that takes two seconds at most, or one
/// that this cache has, says what it finds, else there is no verdict. The configuration is null if it, or a
/// file that it names, is not what the run had. There is no picture then, or if the network has more
/// channels, the check takes longer, or its result now differs from the one that the run kept. `picture`:
/// false if the run has a deadlock of its own to show.
void add_deadlock(ReportPage&, const Configuration*, const std::optional<std::string>& kept,
                  const VerdictCache&, bool picture = true);

/// The deadlock that ended a run: a picture of the channels that wait for each other, and a table.
/// `topology`: null if it is not known; then there is no picture. A network of more than
/// kMostReportedChannels channels has none either, and the page says so. If the run has no deadlock, adds
/// nothing and returns false.
bool add_found_deadlock(ReportPage&, const StoredStats&, const Topology*);

}  // namespace flitmend
