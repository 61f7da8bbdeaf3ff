// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/protocol.h"

#include "protocols/recovery/fcr/ends.h"
#include "protocols/recovery/fcr/unit.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace fcr {
namespace {

constexpr RecoveryNeeds kNeeds{
    .flit_counter = false,
    .head_copy = false,
    .shadow_registers = false,
    .flit_copies = false,
    .circuits = false,
    .control_lines = Unit::kControlLines,
    .control_messages = false,
    .padding = true,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = FinishedIds::kWindow,
};

}  // namespace

Protocol::Protocol(const RecoverySettings& s, const RoutingSettings& routing)
    : RecoveryProtocol(kNeeds), parameters_(s, routing), routing_(routing) {}

Parameters Protocol::parameters_on(const Topology& topology, const HardwareParameters& hardware) const {
  Parameters p = parameters_;
  p.padding.extra_hops = routing_properties(topology, routing_).extra_hops;
  p.padding.hardware = hardware;
  return p;
}

void Protocol::equip(HardwareParameters& hardware, const Topology& topology) const {
  HardwareParameters fitted = hardware;
  fitted.fit(topology);
  parameters_.check(fitted);
  hardware.atomic_reallocation = true;
  hardware.extra_flits = parameters_on(topology, hardware).padding.padded(1, topology.diameter()) - 1;
}

std::unique_ptr<RouterRecovery> Protocol::make_unit(Router&) const {
  return std::make_unique<Unit>(static_cast<unsigned>(routing_.head_wait_cycles));
}

std::unique_ptr<InterfaceRecovery> Protocol::make_ends(NetworkInterface& interface) const {
  const NetworkContext& context = interface.context();
  return std::make_unique<Ends>(interface, interface.context(),
                                parameters_on(context.topology, context.hardware));
}

}  // namespace fcr

RecoveryEntry fcr_recovery() {
  return {
      .name = "fcr",
      .description =
          "messages are padded until they span their path; kill signals tear down what a fault cuts",
      .needs = fcr::kNeeds,
      .traits = {.overhead_on_every_message = true,
                 .multiple_faults = true,
                 .head_loss = true,
                 .resends_whole = true,
                 .resends_part = false},
      .keys = {"timeout", "retry_limit", "backoff.kill", "backoff.timeout", "fcr_capacity", "backoff_limit",
               "guard_timeout", "guard_acknowledgement"},
      .wormhole_only = true,
      .atomic_reallocation = true,
      .bytes_per_source = sizeof(FinishedIds),
      .may_lose = [](const RecoverySettings& s, const HardwareParameters&) -> std::uint32_t {
        return s.fcr_capacity > 0 && s.guard_acknowledgement == "off" ? kLongestMessage : 0;
      },
      .make = [](const RecoverySettings& s, const RoutingSettings& routing)
          -> std::unique_ptr<RecoveryProtocol> { return std::make_unique<fcr::Protocol>(s, routing); },
  };
}

}  // namespace flitmend
