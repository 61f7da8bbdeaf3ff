// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/background.h"

#include <algorithm>

#include "base/errors.h"
#include "rtl_tlm/signals/flit.h"

namespace flitmend {

WithBackground::WithBackground(MessageSchedule& main, std::vector<std::unique_ptr<MessageSource>> sources,
                               std::uint32_t first_flow, std::uint32_t flit_bytes)
    : main_(main), first_flow_(first_flow), flit_bytes_(flit_bytes) {
  for (std::unique_ptr<MessageSource>& source : sources) {
    nodes_.push_back({.source = std::move(source)});
    look(static_cast<NodeId>(nodes_.size() - 1));
  }
}

void WithBackground::look(NodeId node) {
  if (const Cycle next = nodes_[node].source->next_arrival(); next < nodes_[node].stop)
    next_.push({next, node});
}

std::optional<MessageSchedule::Packet> WithBackground::pop(Cycle now) {
  if (overloaded_) return std::nullopt;
  if (auto packet = main_.pop(now)) return packet;
  while (!finished() && !next_.empty() && next_.top().first <= now) {
    const auto [cycle, id] = next_.top();
    next_.pop();
    Node& node = nodes_[id];
    if (cycle >= node.stop) continue;
    const NewMessage message = node.source->take();
    look(id);
    overloaded_ = ++in_flight_ > kMostWaiting * nodes_.size();
    // Words differ from message to message, so that the comparison at the receiver detects mixed-up messages.
    return Packet{.handle = kHandle,
                  .source = id,
                  .destination = message.destination,
                  .length = message.length,
                  .bytes = data_flits(message.length) * flit_bytes_,
                  .ready = message.cycle,
                  .content = (node.sent++ << 20 ^ id) * 0x9E3779B97F4A7C15u,
                  .flow = first_flow_ + message.flow};
  }
  return std::nullopt;
}

Cycle WithBackground::next_cycle() const {
  if (finished()) return kNever;
  return std::min(main_.next_cycle(), next_.empty() ? kNever : next_.top().first);
}

void WithBackground::answered() {
  if (in_flight_ == 0)
    throw ContractError("a message of a flow that is not in the network was reported as delivered");
  --in_flight_;
}

void WithBackground::delivered(Handle handle, Cycle cycle) {
  if (handle < kHandle) return main_.delivered(handle, cycle);
  answered();
}

void WithBackground::undeliverable(Handle handle, Cycle cycle) {
  if (handle < kHandle) return main_.undeliverable(handle, cycle);
  answered();
  ++failed_;
}

}  // namespace flitmend
