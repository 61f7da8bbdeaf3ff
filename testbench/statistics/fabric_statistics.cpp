// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/fabric_statistics.h"

namespace flitmend {
namespace {

template <class F>
void for_each_channel(const Topology& topology, F&& f) {
  for (RouterId router = 0; router < topology.router_count(); ++router)
    for (PortId port = 0; port < topology.port_count(router); ++port)
      if (const auto far = topology.neighbour(router, port)) f(router, port, far->router);
}

}  // namespace

FabricStatistics::FabricStatistics(const Fabric& fabric)
    : fabric_(fabric), at_begin_(fabric.topology().channel_count()) {
  at_end_.reserve(at_begin_.size());
}

void FabricStatistics::read_channel_flits(std::vector<std::uint64_t>& flits) const {
  flits.clear();
  for_each_channel(fabric_.topology(), [&](RouterId router, PortId port, RouterId) {
    flits.push_back(fabric_.router(router).output(port).flits_sent());
  });
}

void FabricStatistics::window_begins() {
  read_channel_flits(at_begin_);
}

void FabricStatistics::window_ends() {
  read_channel_flits(at_end_);
}

void FabricStatistics::fill(Results& results, const StatisticsSettings& settings) const {
  results.simulation.flit_hops = fabric_.flit_hops();
  const ConservationReport report = fabric_.check_conservation();
  results.flits.injected = report.flits_injected;
  results.flits.consumed = report.flits_consumed;
  results.flits.discarded = report.flits_discarded;
  results.flits.in_network = report.flits_in_network;
  results.contract.credits_missing = report.credits_missing;
  results.contract.virtual_channels_not_idle = report.busy_vcs;
  if (!settings.channels) return;

  std::vector<std::uint64_t> end = at_end_;
  if (end.empty()) read_channel_flits(end);
  results.channels.emplace();
  const Topology& topology = fabric_.topology();
  for_each_channel(topology, [&](RouterId router, PortId port, RouterId to) {
    const std::size_t i = results.channels->size();
    results.channels->push_back(ChannelResults::measured(
        topology.router_name(router), topology.port_name(router, port), topology.router_name(to),
        end[i] - at_begin_[i], results.simulation.measured_cycles));
  });
}

}  // namespace flitmend
