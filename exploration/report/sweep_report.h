// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "exploration/report/page.h"
#include "exploration/report/sweep_curves.h"
#include "exploration/sweeps/reader.h"

namespace flitmend {

/// A page about the folder of a sweep. Throws ConfigurationError where its results cannot be read.
ReportPage sweep_report(const std::filesystem::path& folder);

/// "200 points; axes: router.virtual_channels (4) × traffic.load (10) × simulation.seed (5)"
std::string sweep_text(const SweepReader&, const std::vector<PointRecord>& points);

/// What is missing from a sweep, and which points did not end well.
void add_sweep_warnings(ReportPage&, const SweepReader&, const std::vector<PointRecord>& points);

/// Curves, with the numbers of others next to them, saturation points, pictures of single runs, all points,
/// the configuration.
void add_sweep_results(ReportPage&, const SweepReader&, const std::vector<PointRecord>& points,
                       const std::vector<ReferenceCurve>& = {});

}  // namespace flitmend
