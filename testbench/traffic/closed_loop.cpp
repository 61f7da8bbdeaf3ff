// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/closed_loop.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

bool ClosedLoop::Ready::operator>(const Ready& other) const {
  const auto order = [](const Ready& r) {
    return std::tuple(r.cycle, r.source, r.part, r.requester, r.loop);
  };
  return order(*this) > order(other);
}

ClosedLoop::ClosedLoop(const ClosedLoopParameters& parameters, NodeId nodes,
                       const DestinationPattern& pattern, const LengthDistribution& lengths,
                       std::uint64_t seed, MeasuredWindow window)
    : parameters_(parameters), pattern_(pattern), lengths_(lengths), window_(window), nodes_(nodes) {
  for (NodeId node = 0; node < nodes; ++node) {
    if (!pattern.sends(node)) continue;
    ++requesters_;
    nodes_[node] = {RandomStream(seed, RandomPurpose::destination, node),
                    RandomStream(seed, RandomPurpose::message_length, node),
                    parameters.requests > 0 ? parameters.requests : std::numeric_limits<std::uint64_t>::max(),
                    parameters.stop};
    for (std::uint32_t i = 0; i < parameters.outstanding; ++i) begin(node, 0);
  }
}

void ClosedLoop::begin(NodeId node, Cycle cycle) {
  Node& of = nodes_[node];
  if (of.left == 0 || cycle >= of.stop) return;
  --of.left;
  Handle handle = static_cast<Handle>(loops_.size());
  if (free_.empty()) {
    loops_.emplace_back();
  } else {
    handle = free_.back();
    free_.pop_back();
  }
  loops_[handle] = {.created = cycle, .requester = node};
  ready_.push({cycle, node, request, node, handle});
}

std::optional<MessageSchedule::Packet> ClosedLoop::pop(Cycle now) {
  while (!ready_.empty() && ready_.top().cycle <= now) {
    const Ready next = ready_.top();
    ready_.pop();
    Loop& loop = loops_[next.loop];
    Node& of = nodes_[loop.requester];
    if (next.part == request && next.cycle >= of.stop) {  // it has died meanwhile
      free_.push_back(next.loop);
      continue;
    }
    loop.sent = next.cycle;
    loop.part = next.part;
    loop.in_flight = true;
    ++in_flight_;
    if (next.part == request) {
      loop.server = pattern_.destination(loop.requester, of.destinations);
      return Packet{.handle = next.loop,
                    .source = loop.requester,
                    .destination = loop.server,
                    .length = lengths_.draw(of.lengths),
                    .ready = next.cycle,
                    .flow = request};
    }
    return Packet{.handle = next.loop,
                  .source = loop.server,
                  .destination = loop.requester,
                  .length = parameters_.reply_length,
                  .ready = next.cycle,
                  .flow = reply};
  }
  return std::nullopt;
}

void ClosedLoop::check(Handle handle) const {
  if (handle >= loops_.size() || !loops_[handle].in_flight)
    throw ContractError(
        formatted("a message that is not in the network was reported as delivered (handle %1%)", handle));
}

void ClosedLoop::delivered(Handle handle, Cycle now) {
  check(handle);
  Loop& loop = loops_[handle];
  loop.in_flight = false;
  --in_flight_;
  const Cycle latency = now - loop.sent;
  if (loop.part == request) {
    loop.request_latency = latency;
    if (parameters_.reply_length > 0) {
      ready_.push({now + 1 + parameters_.service_time, loop.server, reply, loop.requester, handle});
      return;
    }
  }
  if (window_.contains(loop.created)) {
    counts_.round_trips.push_back(now - loop.created);
    counts_.request_latencies += loop.request_latency;
    if (loop.part == reply) counts_.reply_latencies += latency;
  }
  counts_.finished_in_window += window_.contains(now);
  end(handle, now);
}

void ClosedLoop::undeliverable(Handle handle, Cycle now) {
  check(handle);
  loops_[handle].in_flight = false;
  --in_flight_;
  ++failed_;
  end(handle, now);
}

void ClosedLoop::end(Handle handle, Cycle now) {
  const Loop& loop = loops_[handle];
  // It was outstanding from its creation to the end of this cycle.
  const Cycle first = std::max(loop.created, window_.begin), last = std::min(now + 1, window_.end);
  if (first < last) counts_.outstanding_cycles += last - first;
  const NodeId requester = loop.requester;
  free_.push_back(handle);
  begin(requester, now + 1 + parameters_.think_time);
}

ClosedLoopCounts ClosedLoop::counts(Cycle cycles) const {
  ClosedLoopCounts counts = counts_;
  std::vector<bool> free(loops_.size());
  for (const Handle handle : free_) free[handle] = true;
  for (Handle handle = 0; handle < loops_.size(); ++handle) {
    const Loop& loop = loops_[handle];
    const Cycle first = std::max(loop.created, window_.begin), last = std::min(cycles, window_.end);
    if (!free[handle] && first < last) counts.outstanding_cycles += last - first;
  }
  return counts;
}

}  // namespace flitmend
