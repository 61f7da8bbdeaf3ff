// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/receiver.h"

#include <algorithm>
#include <utility>

#include "protocols/recovery/control_message.h"
#include "protocols/recovery/originals.h"

namespace flitmend::fcr {

ReceivingEnd::ReceivingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface), context_(context), parameters_(parameters) {}

bool ReceivingEnd::forget(MessageIndex packet) {
  const auto at = std::find(arriving_.begin(), arriving_.end(), packet);
  if (at == arriving_.end()) return false;
  *at = arriving_.back();
  arriving_.pop_back();
  return true;
}

void ReceivingEnd::rest_killed(MessageIndex packet) {
  if (forget(packet)) context_.broken.piece_ended(packet);
}

void ReceivingEnd::router_failed() {
  for (const MessageIndex packet : std::exchange(arriving_, {})) context_.broken.piece_ended(packet);
}

void ReceivingEnd::clear() {
  finished_.clear();
  arriving_.clear();
}

void ReceivingEnd::data_consumed(Cycle t, MessageIndex index) {
  const Message& packet = context_.messages[index];
  if (packet.kind == MessageKind::control) return;
  if (finished_.empty()) finished_.resize(context_.topology.node_count());
  FinishedIds& finished = finished_[packet.source];
  finished.advance(context_.messages.fields(index).oldest);
  if (finished.has(packet.id)) {
    context_.recovery_counters.duplicate_flits += context_.messages[packet.original].length;
  } else {
    finished.add(packet.id);
    interface_.place(packet.original, 0, data_flits(context_.messages[packet.original].length));
    deliver_original(interface_, t, index);
  }
  if (parameters_.guard.acknowledgement == Guard::Acknowledgement::real)
    acknowledge(t, packet.source, packet.id);
}

void ReceivingEnd::acknowledge(Cycle t, NodeId source, std::uint32_t id) {
  const MessageIndex index = interface_.compose(source, kControlLength, MessageKind::control, t + 1);
  context_.messages.fields(index).sequence = id;
  context_.messages.fields(index).flits = Padding::first_pad(kControlLength);
  send_control(interface_, index);
}

}  // namespace flitmend::fcr
