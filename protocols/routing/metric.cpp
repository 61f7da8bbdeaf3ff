// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/metric.h"

#include "protocols/routing/settings.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {
constexpr Choice kMetrics[] = {
    {"hops", "the number of links"},
    {"latency",
     "the cycles of a head at zero load: router.pipeline, and the latency of every link, its own or "
     "link.latency, plus the extra cycles of a flit over a link narrower than itself"}};
}  // namespace

constexpr OptionKey kMetricOption{
    .key = {"metric", "", "How the length of a path is measured: up-down, and table without a file.",
            kAlways},
    .values = OptionKey::Word{.initial = "hops", .choices = kMetrics}};

Metric::Metric(const RoutingSettings& s)
    : hops_(s.options.word(kMetricOption) == "hops"), cycles_(s.hop_cycles) {}

std::uint32_t Metric::length(const Topology& t, RouterId router, PortId port) const {
  if (hops_) return 1;
  const unsigned own = t.link_latency(router, port);
  return cycles_.stages + (own > 0 ? own : cycles_.link_latency) +
         cycles_per_flit(t.link_width(router, port), cycles_.flit_bits) - 1;
}

}  // namespace flitmend
