// SPDX-License-Identifier: Apache-2.0
#include "testbench/workloads/workload.h"

#include <algorithm>

namespace flitmend {

#define FLITMEND_WORKLOAD(x) WorkloadEntry x##_workload();
#include "testbench/workloads/workloads.def"
#undef FLITMEND_WORKLOAD

const std::vector<WorkloadEntry>& workloads() {
  static const std::vector<WorkloadEntry> all = {
#define FLITMEND_WORKLOAD(x) x##_workload(),
#include "testbench/workloads/workloads.def"
#undef FLITMEND_WORKLOAD
  };
  return all;
}

const WorkloadEntry& workload_of(const TrafficSettings& traffic) {
  return *std::ranges::find_if(workloads(),
                               [&](const WorkloadEntry& workload) { return workload.chosen(traffic); });
}

}  // namespace flitmend
