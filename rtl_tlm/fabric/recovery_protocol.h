// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/interfaces/recovery_needs.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/parameters.h"
#include "topologies/topology.h"

namespace flitmend {

class NetworkInterface;

/// A recovery protocol: creates the hardware that a fabric needs for it. A fabric without one cannot have
/// faults.
class RecoveryProtocol {
 public:
  explicit RecoveryProtocol(const RecoveryNeeds& needs) : needs_(needs) {}
  virtual ~RecoveryProtocol() = default;

  const RecoveryNeeds& needs() const { return needs_; }
  /// That hardware with everything that the protocol needs.
  HardwareParameters equipped(HardwareParameters hardware, const Topology& topology) const {
    hardware.equip(needs_);
    equip(hardware, topology);
    return hardware;
  }
  /// The recovery unit of that router.
  virtual std::unique_ptr<RouterRecovery> make_unit(Router&) const = 0;
  /// The registers that such a unit adds to those of its router.
  virtual UnitRegisters unit_registers() const { return {}; }
  /// The two ends of the protocol at that interface; null if it has none. Either all interfaces have ends or
  /// none has.
  virtual std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface&) const { return nullptr; }

 protected:
  /// Adds to the hardware what depends on the protocol's settings and on the network.
  virtual void equip(HardwareParameters&, const Topology&) const {}

 private:
  RecoveryNeeds needs_;
};

}  // namespace flitmend
