// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/registry.h"
#include "protocols/recovery/request_registers.h"
#include "protocols/recovery/utp/ends.h"
#include "protocols/recovery/utp/unit.h"

namespace flitmend {
namespace {

constexpr RecoveryNeeds kNeeds{
    .flit_counter = true,
    .head_copy = true,
    .shadow_registers = false,
    .flit_copies = true,
    .circuits = false,
    .control_lines = utp::Unit::kControlLines,
    .control_messages = true,
    .padding = false,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = FinishedIds::kWindow,
};

/// The Unique Token Protocol of the Reliable Router [Dally94].
class Utp final : public RecoveryProtocol {
 public:
  Utp(const RecoverySettings& s, unsigned head_wait)
      : RecoveryProtocol(kNeeds),
        parameters_(sbrp::Parameters::from(s, {.sub_messages = true, .routers_restart = true})),
        head_wait_(head_wait) {
    parameters_.compose = parameters_.receive = 0;  // no software: network interfaces ask and send again
  }
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<utp::Unit>(head_wait_);
  }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<utp::Ends>(interface, interface.context(), parameters_);
  }

  UnitRegisters unit_registers() const override { return RequestRegisters<utp::Unit>::kEntries; }

 private:
  void equip(HardwareParameters& hardware, const Topology& topology) const override {
    BreakUnit::equip(hardware, topology);
  }

  sbrp::Parameters parameters_;
  unsigned head_wait_;
};

}  // namespace

RecoveryEntry utp_recovery() {
  return {
      .name = "utp",
      .description =
          "the router before a fault restarts the rest of the message from its copies of the flits",
      .needs = kNeeds,
      .traits = {.overhead_on_every_message = false,
                 .multiple_faults = false,
                 .head_loss = true,
                 .resends_whole = false,
                 .resends_part = true},
      .keys = {"retry_limit", "ask_timeout", "repeat_timeout", "backoff_limit", "guard_timeout",
               "guard_acknowledgement"},
      .control_length = sbrp::kControlLength,
      .bytes_per_source = sizeof(FinishedIds),
      // Without a guard, a fault of two adjacent routers loses what only they had.
      .may_lose =
          [](const RecoverySettings& s, const HardwareParameters&) {
            return s.guard_acknowledgement == "off" ? kLongestMessage : std::uint32_t{0};
          },
      .make = [](const RecoverySettings& s,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<Utp>(s, static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
