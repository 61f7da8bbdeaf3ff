// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/parameters.h"

namespace flitmend {

class NetworkInterface;

/// A recovery protocol: creates the hardware that a fabric needs for it. A fabric without one cannot have
/// faults.
class RecoveryProtocol {
 public:
  virtual ~RecoveryProtocol() = default;

  /// Adds what it needs to the hardware.
  virtual void equip(HardwareParameters&) const {}
  /// Control lines of the channels between routers.
  virtual ControlLineSet control_lines() const = 0;
  /// The recovery unit of that router.
  virtual std::unique_ptr<RouterRecovery> make_unit(Router&) const = 0;
  /// The two ends of the protocol at that interface; null if it has none. Either all interfaces have ends or
  /// none has.
  virtual std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface&) const { return nullptr; }
};

}  // namespace flitmend
