// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/request_queue.h"

namespace flitmend {

RequestQueue::Flow& RequestQueue::flow_from(NodeId source) {
  if (flows_.empty()) flows_.resize(nodes_);
  if (!flows_[source]) {
    flows_[source] = std::make_unique<Flow>();
    flows_[source]->buffer.resize(depth_);
  }
  return *flows_[source];
}

bool RequestQueue::admit(NetworkTransaction& t) {
  if (t.placed || t.early) return true;  // a further part of it
  if (!ordered_) {
    if (!in_one_piece(t)) return t.early = true;
    if (!has_place()) return false;
    ++used_;
    return t.placed = true;
  }
  Flow& flow = flow_from(t.source);
  const bool next = in_one_piece(t) && t.sequence == flow.next_place;
  if (next && (!has_place() || flow.waits)) return false;
  entry(flow, t.sequence) = {&t, State::arriving};
  t.early = !next;
  if (next) {
    place(flow, t);
    advance(flow);
  }
  return true;
}

void RequestQueue::place(Flow& flow, NetworkTransaction& t) {
  ++used_;
  ++flow.next_place;
  t.early = false;
  t.placed = true;
}

void RequestQueue::advance(Flow& flow) {
  for (bool more = limited_; more;) {
    Entry& next = entry(flow, flow.next_place);
    more =
        flow.next_place - flow.next_delivery < depth_ && (next.state == State::lost || may_have_place(next));
    if (!more) break;
    if (next.state == State::lost) {
      ++flow.next_place;
    } else if (has_place()) {
      place(flow, *next.transaction);
    } else {
      if (!flow.waits) waiting_.push(&flow);
      flow.waits = true;
      break;
    }
  }
  for (;;) {
    Entry& next = entry(flow, flow.next_delivery);
    const bool given = !limited_ || flow.next_place != flow.next_delivery;
    if (!given || (next.state != State::arrived && next.state != State::lost)) return;
    if (next.state == State::arrived) ready_.push(next.transaction);
    next = {};
    ++flow.next_delivery;
  }
}

void RequestQueue::arrived(NetworkTransaction& t) {
  if (!ordered_) {
    if (!t.early) {
      ready_.push(&t);
      return;
    }
    unplaced_.push(&t);
    place_unplaced();
    return;
  }
  Flow& flow = flow_from(t.source);
  entry(flow, t.sequence) = {&t, State::arrived};
  advance(flow);
}

void RequestQueue::lost(NetworkTransaction& t) {
  const bool placed = t.placed;
  t.placed = t.early = false;
  if (ordered_) {
    Flow& flow = flow_from(t.source);
    entry(flow, t.sequence) = {nullptr, State::lost};
    advance(flow);
  }
  if (placed) give_back_place();
}

void RequestQueue::place_unplaced() {
  while (!unplaced_.empty() && has_place()) {
    NetworkTransaction& t = *unplaced_.front();
    unplaced_.pop();
    ++used_;
    t.early = false;
    t.placed = true;
    ready_.push(&t);
  }
}

void RequestQueue::give_back_place() {
  --used_;
  place_unplaced();
  for (std::size_t flows = waiting_.size(); flows > 0 && has_place(); --flows) {
    Flow& flow = *waiting_.front();
    waiting_.pop();
    flow.waits = false;
    advance(flow);
  }
}

}  // namespace flitmend
