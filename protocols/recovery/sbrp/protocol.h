// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/registry.h"
#include "protocols/recovery/sbrp/parameters.h"
#include "protocols/recovery/sbrp/unit.h"

namespace flitmend::sbrp {

constexpr RecoveryNeeds needs_of(const Kind& kind) {
  return {
      .flit_counter = kind.sub_messages && !kind.receiver_asks,
      .head_copy = !kind.receiver_asks,
      .shadow_registers = !kind.receiver_asks,
      .flit_copies = false,
      .circuits = false,
      .control_lines = kind.receiver_asks ? BreakUnit::kControlLines : Unit::kControlLines,
      .control_messages = true,
      .padding = false,
      .software_handler = true,
      .sender_copy = true,
      .id_memory = FinishedIds::kWindow,
  };
}

/// SBRP-0, -1 or -2 [SBRP].
class Protocol final : public RecoveryProtocol {
 public:
  Protocol(const Kind&, const RecoverySettings&, const RoutingSettings&);

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override;
  UnitRegisters unit_registers() const override;
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface&) const override;

  /// Throws KeyError if the protocol cannot work on that topology.
  static void check(const Kind&, const Topology&);
  /// The longest message that may be lost: with a guard, none.
  static std::uint32_t may_lose(const Kind&, const RecoverySettings&, const HardwareParameters&);

 private:
  void equip(HardwareParameters&, const Topology&) const override;

  Parameters parameters_;
  unsigned head_wait_;
};

/// The registry's entry for one of them.
template <Kind kKind>
RecoveryEntry entry(std::string_view name, std::string_view description) {
  return {
      .name = name,
      .description = description,
      .needs = needs_of(kKind),
      .traits = {.overhead_on_every_message = false,
                 .multiple_faults = true,
                 .head_loss = !kKind.receiver_asks,
                 .resends_whole = !kKind.sub_messages,
                 .resends_part = kKind.sub_messages},
      .keys = {"retry_limit", "overhead.compose", "overhead.receive", "ask_timeout", "repeat_timeout",
               "backoff_limit", "guard_timeout", "guard_acknowledgement"},
      .unequal_links = true,
      .control_length = kControlLength,
      .bytes_per_source = sizeof(FinishedIds),
      .check = [](const Topology& topology) { Protocol::check(kKind, topology); },
      .may_lose = [](const RecoverySettings& s,
                     const HardwareParameters& hardware) { return Protocol::may_lose(kKind, s, hardware); },
      .make = [](const RecoverySettings& s, const RoutingSettings& r) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<Protocol>(kKind, s, r);
      },
  };
}

}  // namespace flitmend::sbrp
