// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/choices.h"
#include "base/errors.h"
#include "base/text.h"
#include "protocols/recovery/apcs/ends.h"
#include "protocols/recovery/apcs/unit.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

constexpr RecoveryNeeds kApcsNeeds{
    .flit_counter = true,
    .head_copy = true,
    .mechanisms = MechanismSet{Mechanism::circuits},
    .control_lines = apcs::Unit::kControlLines,
    .control_messages = false,
    .padding = false,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = FinishedIds::kWindow,
};

constexpr OptionKey kScouting{
    .key =
        {"scouting", "hops",
         "apcs: how many routers a head is ahead of its first data flit. At a fault it can go back that far "
         "without the message being sent again. 0: data follows at once.",
         kAlways},
    .values = OptionKey::Number{.initial = 0, .range = {0, 64}}};

constexpr OptionKey kBusy{
    .key = {"busy", "",
            "apcs: what a head does when all channels that it may take at healthy ports are busy. Where data "
            "has followed it, it cannot go back: its circuit ends, and the message is sent again.",
            kAlways},
    .values = OptionKey::Word{.initial = "wait", .choices = kAtBusyWords}};

AtBusy at_busy(const RecoverySettings& s) {
  return static_cast<AtBusy>(choice_index("recovery.busy", kAtBusyWords, s.options.word(kBusy)));
}

RecoveryNeeds needs_with(std::int64_t scouting) {
  RecoveryNeeds needs = kApcsNeeds;
  if (scouting > 0) needs.control_lines = ControlLineSet(needs.control_lines | apcs::Unit::kScoutingLines);
  return needs;
}

/// Acknowledged pipelined circuit switching [Gaughan96].
class Apcs final : public RecoveryProtocol {
 public:
  Apcs(const RecoverySettings& s, const RoutingSettings& routing)
      : RecoveryProtocol(needs_with(s.options.number(kScouting))),
        parameters_(s),
        scouting_(static_cast<unsigned>(s.options.number(kScouting))),
        head_wait_(static_cast<unsigned>(routing.head_wait_cycles)),
        busy_(at_busy(s)) {}

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<apcs::Unit>(head_wait_, busy_);
  }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<apcs::Ends>(interface, interface.context(), parameters_);
  }

 private:
  void equip(HardwareParameters& hardware, const Topology&) const override {
    if (scouting_ > 0 && hardware.router.technique() == Switching::store_and_forward)
      throw KeyError("recovery.scouting",
                     formatted("%1%, but with router.switching store-and-forward a head leaves a router only "
                               "with all its data; set 0, or another router.switching",
                               scouting_),
                     {"router.switching"});
    // A virtual channel is free again when all its credits are home: then nothing of the last circuit is left
    // in the next router or on the way there.
    hardware.router.vc_reallocation = "atomic";
    hardware.scouting = scouting_;
  }

  apcs::Parameters parameters_;
  unsigned scouting_;
  unsigned head_wait_;
  AtBusy busy_;
};

}  // namespace

RecoveryEntry apcs_recovery() {
  return {
      .name = "apcs",
      .description =
          "a path is held until an acknowledgement returns over it; a fault kills both its "
          "parts, and the sender sends the message again",
      .needs = kApcsNeeds,
      .traits = {.overhead_on_every_message = true,
                 .multiple_faults = true,
                 .head_loss = true,
                 .resends_whole = true,
                 .resends_part = false},
      .keys = {"retry_limit", "backoff_limit", "guard_timeout", "guard_acknowledgement"},
      .options = {&kKillBackoff, &kScouting, &kBusy},
      .atomic_reallocation = true,
      .bytes_per_source = sizeof(FinishedIds),
      .check = [](const Topology& topology) { apcs::Unit::require_few_ports(topology); },
      .heads_go_back = [](const RecoverySettings& s) { return at_busy(s) != AtBusy::wait; },
      .may_lose = [](const RecoverySettings&, const HardwareParameters&) { return std::uint32_t{0}; },
      .make = [](const RecoverySettings& s, const RoutingSettings& routing)
          -> std::unique_ptr<RecoveryProtocol> { return std::make_unique<Apcs>(s, routing); },
  };
}

}  // namespace flitmend
