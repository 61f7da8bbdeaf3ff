// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/virtual_networks.h"

#include <algorithm>
#include <string>

#include "base/bits.h"
#include "base/errors.h"
#include "base/text.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// The outputs of a router as one of the networks sees them.
class NetworkOutputs final : public OutputStatus {
 public:
  NetworkOutputs(const OutputStatus& all, unsigned first, unsigned vcs)
      : all_(all), first_(first), vcs_(vcs) {}
  VcMask free_vcs(PortId port) const override { return all_.free_vcs(port) >> first_ & low_bits(vcs_); }
  unsigned credits(PortId port) const override { return all_.credits(port); }
  std::uint64_t holder_state(PortId port, unsigned vc) const override {
    return all_.holder_state(port, first_ + vc);
  }

 private:
  const OutputStatus& all_;
  unsigned first_;
  unsigned vcs_;
};

}  // namespace

VirtualNetworks::VirtualNetworks(const Topology& topology, const std::vector<VcRange>& ranges,
                                 std::vector<std::unique_ptr<RoutingFunction>> instances,
                                 std::vector<unsigned> network_of)
    : RoutingFunction(topology), network_of_(std::move(network_of)) {
  for (std::size_t n = 0; n < ranges.size(); ++n) {
    for (unsigned vc = 0; vc < ranges[n].count; ++vc)
      network_of_vc_[ranges[n].first + vc] = static_cast<std::uint8_t>(n);
    networks_.push_back({ranges[n], std::move(instances[n]), classes_});
    classes_ += networks_.back().routing->classes();
    max_candidates_ = std::max(max_candidates_, networks_.back().routing->max_candidates());
  }
}

void VirtualNetworks::route(const RouteRequest& request, CandidateList& list) const {
  const Network& network = networks_[network_of_vc_[request.arrival_vc]];
  const unsigned before = list.size();
  RouteRequest inner = request;
  inner.arrival_vc = static_cast<std::uint8_t>(request.arrival_vc - network.vcs.first);
  if (request.outputs) {
    const NetworkOutputs outputs(*request.outputs, network.vcs.first, network.vcs.count);
    inner.outputs = &outputs;
    network.routing->route(inner, list);
  } else {
    network.routing->route(inner, list);
  }
  list.shift_classes(before, network.first_class);
}

void VirtualNetworks::update_faults(const FaultSet& faults) {
  for (Network& network : networks_) network.routing->update_faults(faults);
}

void VirtualNetworks::set_seed(std::uint64_t seed) {
  for (Network& network : networks_) network.routing->set_seed(seed);
}

void VirtualNetworks::read_registers(RouterId router, const RouterState& registers) {
  for (Network& network : networks_) network.routing->read_registers(router, registers);
}

VcMask VirtualNetworks::class_vcs(RouterId router, PortId port, unsigned vc_class) const {
  std::size_t n = networks_.size() - 1;
  while (networks_[n].first_class > vc_class) --n;
  const Network& network = networks_[n];
  return (network.routing->class_vcs(router, port, vc_class - network.first_class) &
          low_bits(network.vcs.count))
         << network.vcs.first;
}

VcMask VirtualNetworks::message_class_vcs(unsigned message_class) const {
  return networks_[network_of_[message_class]].vcs.mask();
}

std::unique_ptr<RoutingFunction> make_virtual_networks(const Topology& topology, unsigned virtual_channels,
                                                       const RoutingSettings& settings) {
  const unsigned needed = 2 * routing_properties(topology, settings).virtual_channels;
  if (virtual_channels % 2 != 0 || virtual_channels < needed)
    throw KeyError("router.virtual_channels",
                   formatted("%1% cannot be divided equally between requests and replies, with at least %2% "
                             "each for routing.algorithm %3%; set it to %4%, or tlm.classes to shared",
                             virtual_channels, needed / 2, settings.algorithm,
                             std::max(needed, virtual_channels + virtual_channels % 2)),
                   {"tlm.classes", "routing.algorithm"});
  const unsigned vcs = virtual_channels / 2;
  return make_virtual_networks(topology, {{0, vcs}, {vcs, vcs}}, {0, 1}, settings);
}

std::unique_ptr<RoutingFunction> make_virtual_networks(const Topology& topology,
                                                       const std::vector<VcRange>& ranges,
                                                       std::vector<unsigned> network_of,
                                                       const RoutingSettings& settings) {
  std::vector<std::unique_ptr<RoutingFunction>> instances;
  for (const VcRange& range : ranges) instances.push_back(make_routing(topology, range.count, settings));
  return std::make_unique<VirtualNetworks>(topology, ranges, std::move(instances), std::move(network_of));
}

}  // namespace flitmend
