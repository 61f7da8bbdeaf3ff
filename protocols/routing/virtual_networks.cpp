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

VirtualNetworks::VirtualNetworks(const Topology& topology, std::unique_ptr<RoutingFunction> requests,
                                 std::unique_ptr<RoutingFunction> replies, unsigned vcs)
    : RoutingFunction(topology), networks_{std::move(requests), std::move(replies)}, vcs_(vcs) {}

void VirtualNetworks::route(const RouteRequest& request, CandidateList& list) const {
  const unsigned network = request.arrival_vc >= vcs_;
  const unsigned before = list.size();
  RouteRequest inner = request;
  inner.arrival_vc = static_cast<std::uint8_t>(request.arrival_vc - network * vcs_);
  if (request.outputs) {
    const NetworkOutputs outputs(*request.outputs, network * vcs_, vcs_);
    inner.outputs = &outputs;
    networks_[network]->route(inner, list);
  } else {
    networks_[network]->route(inner, list);
  }
  list.shift_classes(before, network * requests().classes());
}

void VirtualNetworks::update_faults(const FaultSet& faults) {
  for (auto& network : networks_) network->update_faults(faults);
}

void VirtualNetworks::set_seed(std::uint64_t seed) {
  for (auto& network : networks_) network->set_seed(seed);
}

void VirtualNetworks::read_registers(RouterId router, const RouterState& registers) {
  for (auto& network : networks_) network->read_registers(router, registers);
}

VcMask VirtualNetworks::class_vcs(RouterId router, PortId port, unsigned vc_class) const {
  const unsigned network = vc_class >= requests().classes();
  return networks_[network]->class_vcs(router, port, vc_class - network * requests().classes())
         << network * vcs_;
}

VcMask VirtualNetworks::message_class_vcs(unsigned message_class) const {
  return low_bits(vcs_) << message_class * vcs_;
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
  return std::make_unique<VirtualNetworks>(topology, make_routing(topology, vcs, settings),
                                           make_routing(topology, vcs, settings), vcs);
}

}  // namespace flitmend
