// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/fabric_statistics.h"

#include "rtl_tlm/fabric/control_line_pulses.h"
#include "rtl_tlm/mechanisms/deadlock_lane/lane_counters.h"
#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"

namespace flitmend {
namespace {

TailWaits tail_waits(const Fabric& fabric) {
  TailWaits sum;
  if (!TailSignals::built(fabric.router(0).state().layout())) return sum;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = fabric.router(r).state();
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      sum.tails += TailSignals::gates_of(state, w).waits;
      sum.cycles += TailSignals::gates_of(state, w).cycles;
    }
  }
  for (NodeId node = 0; node < fabric.node_count(); ++node) {
    const TailWaits& waits = fabric.network_interface(node).injector.mechanism<InjectorShadows>().waits();
    sum.tails += waits.tails;
    sum.cycles += waits.cycles;
  }
  return sum;
}

}  // namespace

void fill_from_fabric(const Fabric& fabric, Results& results) {
  results.simulation.flit_hops = fabric.flit_hops();
  results.deadlock.lane = fabric.context().shared<LaneCounters>();
  results.messages.absorptions = fabric.context().absorptions;
  const ConservationReport report = fabric.check_conservation();
  results.flits.injected = report.flits_injected;
  results.flits.consumed = report.flits_consumed;
  results.flits.discarded = report.flits_discarded;
  results.flits.in_network = report.flits_in_network;
  results.contract.credits_missing = report.credits_missing;
  results.contract.virtual_channels_not_idle = report.busy_vcs;
}

void fill_from_management(const Fabric& fabric, Results& results) {
  const RoutingFunction& routing = fabric.context().routing;
  if (!routing.needs_management()) return;
  ManagementResults& management = results.management.emplace();
  static_cast<ManagementCounters&>(management) = fabric.context().management_counters;
  const RouteTableSize tables = routing.table_size();
  management.table_entries = tables.entries;
  management.table_bits = tables.bits;
}

void fill_from_vectors(const Fabric& fabric, Results& results) {
  if (fabric.context().hardware.vector_elements == 0) return;
  static_cast<VectorCounters&>(results.vectors.emplace()) = fabric.context().shared<VectorCounters>();
}

void fill_from_recovery(const Fabric& fabric, std::uint64_t delivered_flits, Results& results) {
  RecoveryResults& r = results.recovery;
  static_cast<RecoveryCounters&>(r) = fabric.context().recovery_counters;
  r.control_flits += control_flits(fabric);
  r.tail_waits = tail_waits(fabric);
  r.control_lines.pulses = control_line_pulses(fabric);
  const std::uint64_t gone = results.flits.injected - results.flits.in_network;
  r.extra_flits = gone > delivered_flits ? gone - delivered_flits : 0;
  r.kept_bytes.advance(fabric.cycles());
  if (fabric.cycles() > 0)
    r.mean_sender_bytes =
        static_cast<double>(r.kept_bytes.sum()) / static_cast<double>(fabric.cycles() * fabric.node_count());
}

}  // namespace flitmend
