// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/fabric_statistics.h"

namespace flitmend {

void fill_from_fabric(const Fabric& fabric, Results& results) {
  results.simulation.flit_hops = fabric.flit_hops();
  const ConservationReport report = fabric.check_conservation();
  results.flits.injected = report.flits_injected;
  results.flits.consumed = report.flits_consumed;
  results.flits.discarded = report.flits_discarded;
  results.flits.in_network = report.flits_in_network;
  results.contract.credits_missing = report.credits_missing;
  results.contract.virtual_channels_not_idle = report.busy_vcs;
}

}  // namespace flitmend
