// SPDX-License-Identifier: Apache-2.0
#include "testbench/configured_network.h"

#include <algorithm>
#include <utility>

#include "base/processors.h"
#include "protocols/deadlock/disha/disha.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "protocols/routing/virtual_networks.h"
#include "rtl_tlm/signals/hierarchy_scope.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/recording/event_log.h"
#include "testbench/recording/wave_stories.h"
#include "testbench/scoreboard/abandonment_judge.h"
#include "testbench/statistics/run_statistics.h"
#include "topologies/registry.h"

namespace flitmend {

namespace {

TransactionParameters one_way(const Configuration& c) {
  return TransactionParameters::one_way(static_cast<std::uint64_t>(c.network.node_address_bytes));
}

}  // namespace

ConfiguredNetwork::ConfiguredNetwork(const Configuration& c, const Use& use)
    : configuration_(c), topology_(make_topology(c.network)) {
  const auto seed = static_cast<std::uint64_t>(c.simulation.seed);
  const auto vcs = c.hardware.router.virtual_channels;
  if (use.traffic_classes) classes_ = message_classes(c, *topology_);
  routing_ = use.separate_classes ? make_virtual_networks(*topology_, vcs, c.routing)
                                  : make_routing(*topology_, classes_, c);
  selection_ = make_selection(*topology_, c.routing);
  recovery_ = configured_recovery(c, *topology_);
  HardwareParameters hardware = HardwareParameters::from(c.hardware);
  hardware.hierarchy = c.simulation.hardware_hierarchy();
  hardware.classes = class_rules(classes_, c);
  hardware.fit(*topology_);
  if (c.faults.any()) plan_.emplace(c.faults, *topology_, seed);
  statistics_ =
      std::make_unique<RunStatistics>(*topology_, use.window, c.statistics, hardware.link.flit_bits());
  ScoreboardSettings promises;
  if (recovery_ && c.deadlock.recovery != "disha")
    promises.may_lose = recovery_protocols().at(c.recovery.protocol).may_lose(c.recovery, hardware);
  promises.may_abandon = c.recovery.retry_limit > 0;
  scoreboard_ = std::make_unique<Scoreboard>(topology_->node_count(), promises, statistics_.get());
  fabric_ = std::make_unique<Fabric>("fabric", *topology_, *routing_, *selection_, hardware, seed,
                                     use.transactions ? use.transactions(*topology_) : one_way(c),
                                     recovery_.get(), use.foreign);
  const std::optional<std::int64_t> threads = c.simulation.threads.number;
  fabric_->set_threads({threads ? static_cast<unsigned>(*threads) : processors(), !threads});
  if (fabric_->has_foreign_routers() && routes_change(c))
    throw KeyError(
        "routing.algorithm",
        c.routing.algorithm +
            " routes by the set of all faults, and a router of your own cannot take back the routes "
            "that it has got; let all faults be there from the start, or choose another algorithm",
        {"faults"});
  fabric_->add_observer(static_cast<MessageObserver&>(*scoreboard_));
  statistics_->observe_cycles(*fabric_);
  // Without a sender that retries, there is nothing to judge.
  if (!recovery_ || !recovery_protocols().at(c.recovery.protocol).traits.resends()) return;
  unsigned judged = use.separate_classes ? vcs / 2 : vcs;
  for (const VcRange& network : classes_.networks) judged = std::min(judged, network.count);
  judge_ = std::make_unique<AbandonmentJudge>(fabric_->context(), judged, c.routing);
  scoreboard_->ask(*judge_);
}

ConfiguredNetwork::~ConfiguredNetwork() = default;

std::vector<NodeId> ConfiguredNetwork::dead_nodes() const {
  std::vector<NodeId> dead;
  if (plan_)
    for (const FaultyPart& part : plan_->static_faults())
      if (part.is_router() && part.router < topology_->node_count()) dead.push_back(part.router);
  return dead;
}

void ConfiguredNetwork::add_faults() {
  if (!plan_) return;
  const HierarchyScope scope(*fabric_);
  faults_ = std::make_unique<FaultInjector>("faults", *fabric_, *std::exchange(plan_, std::nullopt));
}

void ConfiguredNetwork::record_events(EventLog& log) {
  if (faults_) {
    log.record_static(faults_->plan().static_faults());
    faults_->add_observer(log);
  }
  scoreboard_->add_observer(log);
  fabric_->add_observer(static_cast<PacketObserver&>(log));
}

std::unique_ptr<RecordedFault> ConfiguredNetwork::record_fault() {
  if (!faults_) return nullptr;
  return std::make_unique<RecordedFault>(configuration_.waves, *fabric_, *scoreboard_, *faults_);
}

void ConfiguredNetwork::finish(bool drained) {
  const Cycle now = fabric_->cycles();
  statistics_->finish(now);
  statistics_->finish_optional(*fabric_);
  scoreboard_->finish(now, drained);
}

void ConfiguredNetwork::fill(Results& r) const {
  statistics_->fill(r);
  scoreboard_->fill(r);
  fill_from_fabric(*fabric_, r);
  fill_from_management(*fabric_, r);
  fill_from_vectors(*fabric_, r);
  fill_from_probes(*fabric_, r);
  fill_from_recovery(*fabric_, statistics_->delivered_flits(), r);
  if (faults_) r.faults = FaultResults{faults_->node_faults(), faults_->channel_faults()};
}

std::unique_ptr<RecoveryProtocol> configured_recovery(const Configuration& c, const Topology& topology) {
  if (c.deadlock.recovery == "disha")
    return std::make_unique<Disha>(topology, static_cast<unsigned>(c.deadlock.timeout));
  if (const RoutingProperties p = routing_properties(topology, c.routing); p.vector_wires > 0)
    return std::make_unique<ProbabilityVectorExchange>(
        topology, p.vector_wires, recovery_protocols().at(c.recovery.protocol).make(c.recovery, c.routing),
        p.learns_from_loops);
  if (!c.faults.any() && c.recovery.protocol == "none") return nullptr;
  return recovery_protocols().at(c.recovery.protocol).make(c.recovery, c.routing);
}

}  // namespace flitmend
