// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "exploration/report/page.h"
#include "exploration/report/sweep_curves.h"
#include "exploration/sweeps/reader.h"

namespace flitmend {

/// Curves of a sweep: latency, throughput, any statistic, and a table; with the numbers of others next to
/// them.
void add_curves(ReportPage&, const SweepReader&, const std::vector<PointRecord>& points,
                const std::vector<ReferenceCurve>&);

}  // namespace flitmend
