// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "protocols/recovery/fcr/parameters.h"
#include "protocols/recovery/registry.h"

namespace flitmend::fcr {

/// Fault-tolerant compressionless routing [SBRP section 4.2; Kim97].
class Protocol final : public RecoveryProtocol {
 public:
  Protocol(const RecoverySettings&, const RoutingSettings&);

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override;
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface&) const override;

 private:
  void equip(HardwareParameters&, const Topology&) const override;
  Parameters parameters_on(const Topology&, const HardwareParameters&) const;

  Parameters parameters_;
  RoutingSettings routing_;
};

}  // namespace flitmend::fcr
