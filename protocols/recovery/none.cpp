// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

/// A message that a fault has cut is lost, and its channels are freed.
class NoRecovery final : public RecoveryProtocol {
 public:
  explicit NoRecovery(unsigned head_wait) : head_wait_(head_wait) {}
  ControlLineSet control_lines() const override { return BreakUnit::kControlLines; }
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
      .control_length = 0,
      .may_lose = [](const RecoverySettings&, const HardwareParameters&) { return kLongestMessage; },
      .make = [](const RecoverySettings&,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<NoRecovery>(static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
