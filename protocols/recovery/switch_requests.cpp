// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/switch_requests.h"

#include "rtl_tlm/signals/channel.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr unsigned kWordBitsOnWires = 16;
constexpr Word kWordHere = Word{1} << kWordBitsOnWires;
static_assert(kRequestWires == kWordBitsOnWires + 1);

// Word 1 has the upper bits of numbers that do not fit into 16.
constexpr unsigned kSourceBits = 20, kNoRouteBit = 4, kFirstBit = 5, kCountBit = 6;
static_assert(kMaxNodes <= std::uint64_t{1} << kSourceBits);
static_assert(kLongestMessage < std::uint32_t{1} << kWordBitsOnWires, "flits need at most one bit more");

}  // namespace

RequestWords to_words(const CutMessage& cut) {
  const auto low = [](std::uint32_t value) { return static_cast<std::uint16_t>(value); };
  const auto high = [](std::uint32_t value) { return value >> kWordBitsOnWires; };
  return {low(cut.source),
          low(high(cut.source) | std::uint32_t{cut.no_route} << kNoRouteBit | high(cut.first) << kFirstBit |
              high(cut.count) << kCountBit),
          low(cut.id),
          low(high(cut.id)),
          cut.sub_message,
          low(cut.first),
          low(cut.count)};
}

CutMessage from_words(const RequestWords& words) {
  const std::uint32_t upper = words[1];
  const auto joined = [](std::uint32_t high, std::uint32_t low) { return high << kWordBitsOnWires | low; };
  CutMessage cut;
  cut.source = joined(upper & static_cast<std::uint32_t>(low_bits(kNoRouteBit)), words[0]);
  cut.no_route = (upper >> kNoRouteBit & 1) != 0;
  cut.id = joined(words[3], words[2]);
  cut.sub_message = words[4];
  cut.first = joined(upper >> kFirstBit & 1, words[5]);
  cut.count = joined(upper >> kCountBit & 1, words[6]);
  return cut;
}

bool RequestSender::has_takers(const Router& router) {
  for (unsigned port = 0; port < router.state().ports(); ++port)
    if (const Channel* const out = router.state().channels(port).out; out && out->has(ControlLine::request))
      return true;
  return false;
}

bool RequestSender::can_take(const Router& router, unsigned port) {
  const RouterState& state = router.state();
  const Channel* const out = state.channels(port).out;
  return out && out->has(ControlLine::request) && !state.arbiter(port).faulty;
}

unsigned RequestSender::next_taker(const Router& router) const {
  const unsigned ports = router.state().ports();
  for (unsigned i = 1; i <= ports; ++i)
    if (const unsigned port = (last_taker_ + i) % ports; can_take(router, port)) return port;
  return kNobody;
}

bool RequestSender::has_work(const Router& router) const {
  return !queue_.empty() && next_taker(router) != kNobody;
}

void RequestSender::handed_over() {
  queue_.erase(queue_.begin());
  taker_ = kNobody;
}

bool RequestSender::evaluate(const Router& router, Cycle t) {
  if (taker_ != kNobody && sent_ == kRequestWords && t > arrival_) handed_over();
  if (queue_.empty()) return false;
  if (taker_ == kNobody) {
    taker_ = next_taker(router);
    if (taker_ == kNobody) return true;
    last_taker_ = taker_;
    sent_ = 0;
  }
  if (sent_ == kRequestWords) return true;
  Channel& out = *router.state().channels(taker_).out;
  arrival_ = t + out.latency();
  out.raise_at(ControlLine::request, arrival_, kWordHere | queue_.front()[sent_++]);
  return true;
}

void RequestSender::output_failed(Cycle t, unsigned port) {
  if (port != taker_) return;
  if (sent_ == kRequestWords && arrival_ < t)
    handed_over();
  else
    taker_ = kNobody;
}

void RequestSender::clear() {
  *this = RequestSender();
}

bool RequestReceiver::receives(const RouterState& state, unsigned port) {
  const Channel* const in = state.channels(port).in;
  return in && in->has(ControlLine::request);
}

std::optional<CutMessage> RequestReceiver::arrived(unsigned port, Word wires) {
  if (!(wires & kWordHere)) return std::nullopt;
  if (port >= ports_.size()) ports_.resize(port + 1);
  Arriving& request = ports_[port];
  request.words[request.count++] = static_cast<std::uint16_t>(wires);
  if (request.count < kRequestWords) return std::nullopt;
  request.count = 0;
  return from_words(request.words);
}

Word RequestReceiver::arriving() const {
  Word ports = 0;
  for (unsigned port = 0; port < ports_.size(); ++port) ports |= Word{ports_[port].count > 0} << port;
  return ports;
}

void RequestReceiver::clear() {
  for (Arriving& request : ports_) request.count = 0;
}

}  // namespace flitmend
