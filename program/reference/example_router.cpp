// SPDX-License-Identifier: Apache-2.0
#include "program/reference/example_router.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "rtl_tlm/registers/router_memory.h"
#include "topologies/registry.h"

namespace flitmend {

ExampleRouter::ExampleRouter(std::string_view preset_name, const RecoveryProtocol* recovery)
    : preset(preset_name) {
  HardwareSettings settings;
  apply_preset(preset, settings);
  NetworkSettings network;
  network.topology = "mesh";
  network.size = {8, 8};
  topology_ = make_topology(network);
  RoutingSettings routing;
  routing.algorithm = "dimension-order";
  routing_ = make_routing(*topology_, settings.router.virtual_channels, routing);
  selection_ = make_selection(*topology_, routing);
  const HardwareParameters bare = HardwareParameters::from(settings);
  context_.reset(new NetworkContext{
      *topology_, *routing_, *selection_, recovery ? recovery->equipped(bare, *topology_) : bare, 1, {}, {}});
  layout_ = &context_->shared<RouterMemory>().layout(*context_, 5, true);
}

}  // namespace flitmend
