// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/registry.h"
#include "protocols/recovery/request_registers.h"
#include "protocols/recovery/sbrp/ends.h"
#include "protocols/recovery/sbrp/parameters.h"
#include "protocols/recovery/sbrp/unit.h"

namespace flitmend::sbrp {
namespace {

constexpr RecoveryNeeds needs_of(const Kind& kind) {
  return {
      .flit_counter = kind.sub_messages && !kind.receiver_asks,
      .head_copy = !kind.receiver_asks,
      .mechanisms = kind.receiver_asks ? MechanismSet{} : MechanismSet{Mechanism::tail_signals},
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
  Protocol(const Kind& kind, const RecoverySettings& s, const RoutingSettings& routing)
      : RecoveryProtocol(needs_of(kind)),
        parameters_(Parameters::from(s, kind)),
        head_wait_(static_cast<unsigned>(routing.head_wait_cycles)) {}

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    if (parameters_.receiver_asks) return std::make_unique<BreakingUnit>(head_wait_);
    return std::make_unique<Unit>(head_wait_);
  }
  UnitRegisters unit_registers() const override { return kRequestRegisters; }

  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<Ends>(interface, interface.context(), parameters_);
  }

  /// Throws KeyError if the protocol cannot work on that topology.
  static void check(const Kind& kind, const Topology& topology) {
    if (!kind.receiver_asks) Unit::require_interfaces(topology);
  }

  /// The longest message that may be lost: with a guard, none.
  /// Without a guard, SBRP-2 loses a message whose head is lost; SBRP-0 and -1 can lose one whose flits
  /// were all in dying routers.
  static std::uint32_t may_lose(const Kind& kind, const RecoverySettings& s,
                                const HardwareParameters& hardware) {
    if (s.guard_acknowledgement != "off") return 0;
    return kind.receiver_asks ? kLongestMessage : hardware.flits_between();
  }

 private:
  void equip(HardwareParameters& hardware, const Topology& topology) const override {
    hardware.extra_flits = parameters_.extra_flits();
    BreakUnit::equip(hardware, topology);
  }

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
      .keys = {"retry_limit", "backoff_limit", "guard_timeout", "guard_acknowledgement"},
      .options = {&kComposeOverhead, &kReceiveOverhead, &kAskTimeout, &kRepeatTimeout},
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

}  // namespace
}  // namespace flitmend::sbrp

namespace flitmend {

RecoveryEntry sbrp_0_recovery() {
  constexpr sbrp::Kind kKind{.sub_messages = false, .receiver_asks = false};
  return sbrp::entry<kKind>("sbrp-0",
                            "the router before a fault asks the sender for the whole message again");
}

RecoveryEntry sbrp_1_recovery() {
  constexpr sbrp::Kind kKind{.sub_messages = true, .receiver_asks = false};
  return sbrp::entry<kKind>("sbrp-1", "the router before a fault asks the sender for what has not passed");
}

RecoveryEntry sbrp_2_recovery() {
  constexpr sbrp::Kind kKind{.sub_messages = true, .receiver_asks = true};
  return sbrp::entry<kKind>("sbrp-2", "the receiver of a broken piece asks the sender for the rest");
}

}  // namespace flitmend
