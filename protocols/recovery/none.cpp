// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

constexpr RecoveryNeeds kNoRecoveryNeeds{
    .flit_counter = false,
    .head_copy = false,
    .mechanisms = MechanismSet{},
    .control_lines = BreakUnit::kControlLines,
    .control_messages = false,
    .padding = false,
    .software_handler = false,
    .sender_copy = false,
    .id_memory = 0,
};

/// A message that a fault has cut is lost, and its channels are freed.
class NoRecovery final : public RecoveryProtocol {
 public:
  explicit NoRecovery(unsigned head_wait) : RecoveryProtocol(kNoRecoveryNeeds), head_wait_(head_wait) {}
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<BreakUnit>(head_wait_);
  }

 private:
  unsigned head_wait_;
};

}  // namespace

RecoveryEntry none_recovery() {
  return {
      .name = "none",
      .description = "a message that a fault has cut is lost and counted; its channels are freed",
      .needs = kNoRecoveryNeeds,
      .traits = {.overhead_on_every_message = false,
                 .multiple_faults = false,
                 .head_loss = false,
                 .resends_whole = false,
                 .resends_part = false},
      .keys = {},
      .unequal_links = true,
      .may_lose = [](const RecoverySettings&, const HardwareParameters&) { return kLongestMessage; },
      .make = [](const RecoverySettings&,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<NoRecovery>(static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
