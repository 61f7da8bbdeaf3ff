// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/protocol.h"

#include "protocols/recovery/request_registers.h"
#include "protocols/recovery/sbrp/ends.h"
#include "protocols/recovery/sbrp/unit.h"

namespace flitmend::sbrp {

Protocol::Protocol(const Kind& kind, const RecoverySettings& s, const RoutingSettings& routing)
    : RecoveryProtocol(needs_of(kind)),
      parameters_(Parameters::from(s, kind)),
      head_wait_(static_cast<unsigned>(routing.head_wait_cycles)) {}

void Protocol::equip(HardwareParameters& hardware, const Topology& topology) const {
  hardware.extra_flits = parameters_.extra_flits();
  BreakUnit::equip(hardware, topology);
}

std::unique_ptr<RouterRecovery> Protocol::make_unit(Router&) const {
  if (parameters_.receiver_asks) return std::make_unique<BreakUnit>(head_wait_);
  return std::make_unique<Unit>(head_wait_);
}

UnitRegisters Protocol::unit_registers() const {
  if (parameters_.receiver_asks) return RequestRegisters<BreakUnit>::kEntries;
  return RequestRegisters<Unit>::kEntries;
}

std::unique_ptr<InterfaceRecovery> Protocol::make_ends(NetworkInterface& interface) const {
  return std::make_unique<Ends>(interface, interface.context(), parameters_);
}

void Protocol::check(const Kind& kind, const Topology& topology) {
  if (!kind.receiver_asks) Unit::require_interfaces(topology);
}

// Without a guard, SBRP-2 loses a message whose head is lost; SBRP-0 and -1 can lose one that was in dying
// routers as a whole.
std::uint32_t Protocol::may_lose(const Kind& kind, const RecoverySettings& s,
                                 const HardwareParameters& hardware) {
  if (s.guard_acknowledgement != "off") return 0;
  return kind.receiver_asks ? kLongestMessage : hardware.flits_between();
}

}  // namespace flitmend::sbrp
