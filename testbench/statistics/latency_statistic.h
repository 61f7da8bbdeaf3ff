// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/statistics/batch_means.h"
#include "testbench/statistics/histogram.h"
#include "testbench/statistics/mean.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// Latencies in cycles: mean with its confidence interval, percentiles, maximum. Allocates only when it is
/// made, and the order of observations does not matter.
class LatencyStatistic {
 public:
  /// A message created `created` cycles into the measured window took `latency` cycles.
  void add(Cycle created, std::uint64_t latency) {
    mean_.add(latency);
    histogram_.add(latency);
    batches_.add(created, latency);
  }
  LatencyResults results(bool with_histogram) const;

 private:
  Mean mean_;
  Histogram histogram_;
  BatchMeans batches_;
};

}  // namespace flitmend
