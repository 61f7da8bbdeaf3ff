// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/latency_statistic.h"

namespace flitmend {

LatencyResults LatencyStatistic::results(bool with_histogram) const {
  LatencyResults r;
  r.count = mean_.count();
  r.mean = mean_.mean();
  const MeanInterval interval = batches_.interval();
  r.ci95 = interval.half_width;
  r.ci95_reason = interval.reason;
  r.p50 = histogram_.percentile(50);
  r.p95 = histogram_.percentile(95);
  r.p99 = histogram_.percentile(99);
  r.max = histogram_.max();
  if (with_histogram) {
    r.histogram.emplace();
    histogram_.for_each([&](std::uint64_t value, std::uint64_t count) {
      r.histogram->cycles.push_back(value);
      r.histogram->messages.push_back(count);
    });
  }
  return r;
}

}  // namespace flitmend
