// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/apcs/ends.h"

#include "protocols/recovery/originals.h"

namespace flitmend::apcs {

Ends::Ends(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      sender_(interface, context, parameters_) {}

void Ends::tail_consumed(Cycle t, MessageIndex packet, bool) {
  const Message& message = context_.messages[packet];
  if (finished_.empty()) finished_.resize(context_.topology.node_count());
  FinishedIds& finished = finished_[message.source];
  finished.advance(context_.messages.fields(packet).oldest);
  if (finished.has(message.id)) {
    context_.recovery_counters.duplicate_flits += message.received;
  } else {
    finished.add(message.id);
    interface_.place(message.original, 0, data_flits(message.length));
    deliver_original(interface_, t, packet);
  }
  if (message.incomplete) context_.broken.piece_ended(packet);
  interface_.acknowledge(t, packet);  // may release the packet
}

void Ends::spent(Cycle t, MessageIndex index) {
  if (context_.messages[index].original == kNoMessage)  // an original from a dead node
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
  else
    sender_.packet_gone(t, index);
}

void Ends::clear() {
  sender_.clear();
  finished_.clear();
}

}  // namespace flitmend::apcs
