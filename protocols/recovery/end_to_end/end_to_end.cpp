// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/end_to_end/ends.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

constexpr RecoveryNeeds kEndToEndNeeds{
    .flit_counter = false,
    .head_copy = false,
    .shadow_registers = false,
    .flit_copies = false,
    .circuits = false,
    .control_lines = BreakUnit::kControlLines,
    .control_messages = true,
    .padding = false,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = end_to_end::kWindow,
};

class EndToEnd final : public RecoveryProtocol {
 public:
  EndToEnd(const RecoverySettings& s, unsigned head_wait)
      : RecoveryProtocol(kEndToEndNeeds),
        parameters_{static_cast<std::uint64_t>(s.timeout), static_cast<std::uint32_t>(s.retry_limit),
                    s.handshake == "six-step", static_cast<std::uint64_t>(s.acknowledgement_delay)},
        head_wait_(head_wait) {}
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<BreakUnit>(head_wait_);
  }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<end_to_end::Ends>(interface, interface.context(), parameters_);
  }

 private:
  end_to_end::Parameters parameters_;
  unsigned head_wait_;
};

}  // namespace

RecoveryEntry end_to_end_recovery() {
  return {
      .name = "end-to-end",
      .description = "the sender keeps a copy until it is acknowledged, and sends it again after a timeout",
      .needs = kEndToEndNeeds,
      .traits = {.overhead_on_every_message = true,
                 .multiple_faults = true,
                 .head_loss = true,
                 .resends_whole = true,
                 .resends_part = false},
      .keys = {"timeout", "retry_limit", "handshake", "acknowledgement_delay"},
      .unequal_links = true,
      .control_length = end_to_end::kControlLength,
      .bytes_per_source = sizeof(end_to_end::ReceiveWindow) + end_to_end::Sender::kBytesPerDestination +
                          end_to_end::DelayedAcknowledgements::kBytesPerNode,
      .may_lose = [](const RecoverySettings&, const HardwareParameters&) { return std::uint32_t{0}; },
      .make = [](const RecoverySettings& s,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<EndToEnd>(s, static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
