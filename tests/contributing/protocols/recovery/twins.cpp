// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/twins.h"

#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/registry.h"

namespace flitmend {

void TwinEnds::send(MessageIndex original) {
  for (int copy = 0; copy < 2; ++copy) {
    const Message& message = context_.messages[original];
    const MessageIndex packet =
        interface_.compose(message.destination, message.length, message.kind, message.created);
    context_.messages[packet].original = original;
    context_.messages[packet].id = message.id;
    ++context_.messages.fields(original).packets;
    interface_.push(packet, InjectionPriority::fresh);
  }
}

void TwinEnds::tail_consumed(Cycle t, MessageIndex packet, bool broken) {
  if (broken) {  // the other copy may arrive
    context_.broken.piece_ended(packet);
    return;
  }
  const MessageIndex original = context_.messages[packet].original;
  ProtocolFields& fields = context_.messages.fields(original);
  if (arrived_.insert(name_of(packet)).second) {
    context_.messages[original].hops = context_.messages[packet].hops;
    fields.delivered = true;
    interface_.place(original, 0, data_flits(context_.messages[original].length));
    interface_.deliver(original, t);
  } else {
    context_.recovery_counters.duplicate_flits += context_.messages[packet].length;
    arrived_.erase(name_of(packet));
  }
  context_.messages.release(packet);
  if (--fields.packets == 0) context_.messages.release(original);
}

void TwinEnds::spent(Cycle t, MessageIndex index) {
  const bool unreachable = context_.messages.loss(index).unreachable;
  const MessageIndex original = context_.messages[index].original;
  if (original == kNoMessage) {  // a dead node has created it
    interface_.settle(index, t, unreachable);
    return;
  }
  context_.messages.release(index);
  ProtocolFields& fields = context_.messages.fields(original);
  if (--fields.packets > 0) return;
  if (fields.delivered)
    context_.messages.release(original);
  else
    interface_.settle(original, t, unreachable);
}

namespace {

constexpr RecoveryNeeds kTwinsNeeds{
    .flit_counter = false,
    .head_copy = false,
    .mechanisms = MechanismSet{},
    .control_lines = BreakUnit::kControlLines,
    .control_messages = false,
    .padding = false,
    .software_handler = false,
    .sender_copy = false,
    .id_memory = 64,
};

class Twins final : public RecoveryProtocol {
 public:
  explicit Twins(unsigned head_wait) : RecoveryProtocol(kTwinsNeeds), head_wait_(head_wait) {}
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<BreakUnit>(head_wait_);
  }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<TwinEnds>(interface);
  }

 private:
  unsigned head_wait_;
};

}  // namespace

RecoveryEntry twins_recovery() {
  return {
      .name = "twins",
      .description = "every message is sent twice; it is lost if faults cut both copies",
      .needs = kTwinsNeeds,
      .traits = {.overhead_on_every_message = true,
                 .multiple_faults = false,
                 .head_loss = true,
                 .resends_whole = true,
                 .resends_part = false},
      .keys = {},
      .may_lose = [](const RecoverySettings&, const HardwareParameters&) { return kLongestMessage; },
      .make = [](const RecoverySettings&,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<Twins>(static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
