// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/requester.h"

#include <algorithm>

#include "protocols/recovery/control_message.h"
#include "protocols/recovery/lost_requests.h"

namespace flitmend::sbrp {

Requester::Requester(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface), context_(context), parameters_(parameters) {}

void Requester::ask(Cycle t, const Request& request) {
  const auto same = [&](const Pending& p) { return p.request.cut == request.cut; };
  if (std::any_of(pending_.begin(), pending_.end(), same)) return;
  ++context_.recovery_counters.requests;
  const Cycle due = t + parameters_.compose;
  pending_.push_back({request, due, 0, next_number_++});
  next_due_ = std::min(next_due_, due);
  interface_.stay_awake();
}

Requester::Pending* Requester::find(std::uint16_t number) {
  for (Pending& p : pending_)
    if (p.number == number) return &p;
  return nullptr;
}

void Requester::remove(Pending& p) {
  p = pending_.back();
  pending_.pop_back();
}

void Requester::transmit(Cycle t, Pending& p) {
  const CutMessage& cut = p.request.cut;
  const MessageIndex index = interface_.compose(cut.source, kControlLength, MessageKind::control, t);
  context_.messages[index].sub_message = cut.sub_message;
  ProtocolFields& fields = context_.messages.fields(index);
  fields.control = kRequest;
  fields.asks = true;
  fields.sequence = cut.id;
  fields.first = cut.first;
  fields.flits = cut.count;
  fields.request = p.number;
  fields.flags = static_cast<std::uint8_t>((p.request.silent ? kSilent : 0) | (cut.no_route ? kNoRoute : 0));
  ++p.times_sent;
  p.due = kNever;
  send_control(interface_, index);
}

void Requester::sent(Cycle t, MessageIndex request) {
  Pending* const p = find(context_.messages.fields(request).request);
  if (!p || p->due != kNever) return;
  p->due = t + parameters_.repeat_wait(p->times_sent);
  next_due_ = std::min(next_due_, p->due);
}

bool Requester::acknowledged(std::uint16_t number, CutMessage& message) {
  Pending* const p = find(number);
  if (!p) return false;
  message = p->request.cut;
  remove(*p);
  return true;
}

void Requester::send_again(Cycle t) {
  next_due_ = kNever;
  for (std::size_t i = 0; i < pending_.size();) {
    Pending& p = pending_[i];
    if (p.due <= t && p.times_sent > 0 &&
        parameters_.retry_limit.reached(context_, interface_.node(), p.request.cut.source, p.times_sent - 1,
                                        true)) {
      context_.shared<LostRequests>().add(p.request.cut);
      remove(p);
      continue;
    }
    if (p.due <= t) transmit(t, p);
    next_due_ = std::min(next_due_, p.due);
    ++i;
  }
}

void Requester::node_died() {
  for (const Pending& p : pending_) context_.shared<LostRequests>().add(p.request.cut);
  clear();
}

void Requester::clear() {
  pending_.clear();
  next_due_ = kNever;
}

}  // namespace flitmend::sbrp
