// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "protocols/recovery/registry.h"
#include "protocols/recovery/sbrp/parameters.h"

namespace flitmend::sbrp {

/// SBRP-0, -1 or -2 [SBRP].
class Protocol final : public RecoveryProtocol {
 public:
  Protocol(const Kind&, const RecoverySettings&, const RoutingSettings&);

  void equip(HardwareParameters&) const override;
  ControlLineSet control_lines() const override;
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override;
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface&) const override;

  /// Throws KeyError if the protocol cannot work on that topology.
  static void check(const Kind&, const Topology&);
  /// The longest message that may be lost: with a guard, none.
  static std::uint32_t may_lose(const Kind&, const RecoverySettings&, const HardwareParameters&);

 private:
  Parameters parameters_;
  unsigned head_wait_;
};

/// The registry's entry for one of them.
template <Kind kKind>
RecoveryEntry entry(std::string_view name, std::string_view description) {
  RecoveryEntry e;
  e.name = name;
  e.description = description;
  e.control_length = kControlLength;
  e.extra_flits = kKind.sub_messages ? 1 : 0;
  e.check = [](const Topology& topology) { Protocol::check(kKind, topology); };
  e.may_lose = [](const RecoverySettings& s, const HardwareParameters& hardware) {
    return Protocol::may_lose(kKind, s, hardware);
  };
  e.make = [](const RecoverySettings& s, const RoutingSettings& r) -> std::unique_ptr<RecoveryProtocol> {
    return std::make_unique<Protocol>(kKind, s, r);
  };
  return e;
}

}  // namespace flitmend::sbrp
