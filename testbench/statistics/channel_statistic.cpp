// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/channel_statistic.h"

#include <algorithm>

#include "base/text.h"
#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {
namespace {

template <class F>
void for_each_channel(const Topology& topology, F&& f) {
  for (RouterId router = 0; router < topology.router_count(); ++router)
    for (PortId port = 0; port < topology.port_count(router); ++port)
      if (topology.carries_flits(router, port)) f(router, port, topology.neighbour(router, port)->router);
}

/// Writes the flits that each channel has carried so far. Does not allocate if there is room for all
/// channels.
void read_flits(const Fabric& fabric, std::vector<std::uint64_t>& flits) {
  flits.clear();
  for_each_channel(fabric.topology(), [&](RouterId router, PortId port, RouterId) {
    flits.push_back(fabric.router(router).output(port).flits_sent());
  });
}

}  // namespace

ChannelResults ChannelResults::measured(std::string from, std::string port, std::string to,
                                        std::uint64_t flits, std::uint64_t measured_cycles) {
  ChannelResults r{std::move(from), std::move(port), std::move(to), flits, std::nullopt};
  if (measured_cycles != 0) r.utilisation = static_cast<double>(flits) / static_cast<double>(measured_cycles);
  return r;
}

void ChannelResults::visit(ResultsVisitor& v) const {
  v.value({"from", "", "The router that sends."}, from);
  v.value({"port", "", "Its port."}, port);
  v.value({"to", "", "The router that receives."}, to);
  v.value({"flits", "flits", "Flits that crossed in the measured window."}, flits);
  v.value({"utilisation", "flits/cycle",
           "Flits per measured cycle; 1/k if the link takes k cycles per flit and is always "
           "busy."},
          utilisation);
}

ChannelStatistic::ChannelStatistic(const Topology& topology)
    : at_begin_(topology.channel_count()), at_end_(topology.channel_count()) {
  for_each_channel(topology, [&](RouterId router, PortId port, RouterId to) {
    channels_.push_back({topology.router_name(router), topology.port_name(router, port),
                         topology.router_name(to), 0, std::nullopt});
  });
}

void ChannelStatistic::window_begins(const Fabric& fabric) {
  read_flits(fabric, at_begin_);
}

void ChannelStatistic::window_ends(const Fabric& fabric) {
  read_flits(fabric, at_end_);
}

void ChannelStatistic::finish(const Fabric&, Cycle measured_cycles) {
  for (std::size_t i = 0; i < channels_.size(); ++i)
    channels_[i] = ChannelResults::measured(channels_[i].from, channels_[i].port, channels_[i].to,
                                            at_end_[i] - at_begin_[i], measured_cycles);
}

void ChannelStatistic::visit(ResultsVisitor& v) const {
  visit_list(v, {"channels", "", "Channels between routers; with `statistics: {channels: true}`."},
             channels_);
}

std::string ChannelStatistic::text() const {
  if (channels_.empty()) return "";
  const auto busiest = std::max_element(channels_.begin(), channels_.end(),
                                        [](const auto& a, const auto& b) { return a.flits < b.flits; });
  double sum = 0;
  for (const ChannelResults& c : channels_) sum += c.utilisation.value_or(0);
  const std::string most = busiest->utilisation ? formatted("%.3f", *busiest->utilisation) : "-";
  return formatted("channels     mean utilisation %.3f, busiest %s.%s %s\n",
                   sum / static_cast<double>(channels_.size()), busiest->from, busiest->port, most);
}

StatisticEntry channels_statistic() {
  return {
      .name = "channels",
      .description = "Count the flits of every channel between routers and write its utilisation.",
      .make = [](const StatisticContext& c) -> std::unique_ptr<OptionalStatistic> {
        return std::make_unique<ChannelStatistic>(c.topology);
      },
  };
}

}  // namespace flitmend
