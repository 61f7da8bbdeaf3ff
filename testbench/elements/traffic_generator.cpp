// SPDX-License-Identifier: Apache-2.0
#include "testbench/elements/traffic_generator.h"

#include <algorithm>
#include <cstring>

namespace flitmend {

TrafficGenerator::TrafficGenerator(sc_core::sc_module_name name, const Fabric& fabric,
                                   GeneratorSchedule& schedule, PayloadPool& payloads,
                                   std::unique_ptr<MessageSource> source, NodeId node,
                                   std::uint64_t node_address_bytes, Cycle stop)
    : sc_module(name),
      socket("socket"),
      fabric_(fabric),
      schedule_(schedule),
      payloads_(payloads),
      source_(std::move(source)),
      node_(node),
      address_bytes_(node_address_bytes),
      flit_bytes_(fabric.context().hardware.link.flit_bytes),
      stop_(stop) {
  socket.register_nb_transport_bw(this, &TrafficGenerator::nb_transport_bw);
  schedule_.wake(*this, 0);
}

[[gnu::always_inline]] inline void TrafficGenerator::send(const NewMessage& message) {
  const std::uint64_t address = message.destination * address_bytes_;
  const std::uint64_t bytes = message.length > 2 ? std::uint64_t{message.length - 2} * flit_bytes_ : 0;
  tlm::tlm_generic_payload* payload;
  if (bytes == 0 || bytes > address_bytes_) {
    payload = payloads_.acquire_message(address, message.length);
  } else {
    payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, address, bytes);
    // Words differ from message to message, so that the comparison at the receiver detects mixed-up messages.
    std::uint64_t word = (sent_ << 20 ^ node_) * 0x9E3779B97F4A7C15u;
    for (std::uint64_t at = 0; at < bytes; at += sizeof word, ++word)
      std::memcpy(payload->get_data_ptr() + at, &word, std::min<std::uint64_t>(sizeof word, bytes - at));
  }
  ++sent_;
  flow_ = message.flow;
  MessageExtension& extension = *payload->get_extension<MessageExtension>();
  extension.created = message.cycle;
  if (!classes_.empty()) extension.message_class = classes_[flow_];
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (socket->nb_transport_fw(*payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
      answer(*payload);
      break;
    case tlm::TLM_ACCEPTED:
      waiting_ = true;
      break;
    case tlm::TLM_UPDATED:
      break;
  }
}

void TrafficGenerator::generate() {
  const Cycle now = fabric_.next_cycle();
  if (fabric_.context().node_dead(node_)) stop_ = std::min(stop_, now);  // the processing element is, too
  while (!waiting_ && source_->next_arrival() <= now && source_->next_arrival() < stop_)
    send(source_->take());
  if (!waiting_ && source_->next_arrival() < stop_) schedule_.wake(*this, source_->next_arrival());
}

void TrafficGenerator::tell_held_back(Cycle cycles, MessageObserver& observer) {
  while (source_->next_arrival() < std::min(cycles, stop_)) {
    const NewMessage next = source_->take();
    flow_ = next.flow;
    Message message;
    message.created = next.cycle;
    message.source = node_;
    message.destination = next.destination;
    message.length = next.length;
    observer.message_held_back(message);
  }
}

void TrafficGenerator::answer(tlm::tlm_generic_payload& payload) {
  ++answered_;
  failed_ += !payload.is_response_ok();
  payload.release();
  schedule_.answered();
}

tlm::tlm_sync_enum TrafficGenerator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time&) {
  if (waiting_) {  // END_REQ, or a response that implies it: the source queue has room again
    if (phase == tlm::END_REQ) {
      waiting_ = false;
      schedule_.wake_soon(*this);
      return tlm::TLM_ACCEPTED;
    }
  }
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  answer(payload);
  return tlm::TLM_COMPLETED;
}

GeneratorSchedule::GeneratorSchedule(sc_core::sc_module_name name, const Fabric& fabric)
    : sc_module(name), fabric_(fabric) {
  for (auto* list : {&soon_, &woken_}) list->reserve(fabric.node_count());
  sleeping_.reserve(fabric.node_count());
  SC_METHOD(run);
}

void GeneratorSchedule::wake(TrafficGenerator& generator, Cycle cycle) {
  sleeping_.push_back({cycle, generator.node(), &generator});
  std::push_heap(sleeping_.begin(), sleeping_.end());
}

void GeneratorSchedule::wake_soon(TrafficGenerator& generator) {
  soon_.push_back(&generator);
  delta_.notify(sc_core::SC_ZERO_TIME);
}

void GeneratorSchedule::run() {
  woken_.swap(soon_);
  for (TrafficGenerator* generator : woken_) generator->generate();
  woken_.clear();
  // At the time of an edge, before the edge itself: what is sent now is created in that cycle.
  const auto due = [&](Cycle cycle) { return fabric_.edge_time(cycle) <= sc_core::sc_time_stamp(); };
  Cycle now = kNever;  // one whose edge has been found due
  while (!sleeping_.empty() && (sleeping_.front().cycle == now || due(sleeping_.front().cycle))) {
    now = sleeping_.front().cycle;
    TrafficGenerator& generator = *sleeping_.front().generator;
    std::pop_heap(sleeping_.begin(), sleeping_.end());
    sleeping_.pop_back();
    generator.generate();
  }
  if (sleeping_.empty())
    next_trigger(delta_);
  else
    next_trigger(fabric_.edge_time(sleeping_.front().cycle) - sc_core::sc_time_stamp(), delta_);
}

}  // namespace flitmend
