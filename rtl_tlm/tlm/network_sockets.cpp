// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/network_sockets.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {
namespace {

[[noreturn]] void protocol_error(const sc_core::sc_module& where, const char* what) {
  SC_REPORT_FATAL("flitmend/tlm", (std::string(where.name()) + ": " + what).c_str());
  std::abort();  // if the user's report handler ignores a fatal error
}

}  // namespace

NetworkTransaction* SocketContext::acquire() {
  if (free_.empty()) {
    for (std::size_t more = std::max<std::size_t>(all_.size(), 16); more > 0; --more) {
      all_.push_back(std::make_unique<NetworkTransaction>());
      free_.push_back(all_.back().get());
    }
    free_.reserve(all_.size());
  }
  NetworkTransaction* t = free_.back();
  free_.pop_back();
  t->payload = nullptr;
  t->bytes.clear();
  t->received.clear();
  t->status = tlm::TLM_INCOMPLETE_RESPONSE;
  t->blocking = t->done = false;
  t->finished = nullptr;
  return t;
}

void SocketContext::release(NetworkTransaction* t) {
  free_.push_back(t);
}

NetworkSockets::NetworkSockets(sc_core::sc_module_name name, Fabric& fabric, SocketContext& context,
                               NodeId node)
    : sc_module(name),
      target_socket("target_socket"),
      initiator_socket("initiator_socket"),
      fabric_(fabric),
      context_(context),
      interface_(fabric.network_interface(node)),
      node_(node) {
  target_socket.register_nb_transport_fw(this, &NetworkSockets::nb_transport_fw);
  target_socket.register_b_transport(this, &NetworkSockets::b_transport);
  target_socket.register_transport_dbg(this, &NetworkSockets::transport_dbg);
  initiator_socket.register_nb_transport_bw(this, &NetworkSockets::nb_transport_bw);
  interface_.set_sink(this);
}

tlm::tlm_response_status NetworkSockets::decode(const tlm::tlm_generic_payload& payload, NodeId& destination,
                                                std::uint32_t& length) const {
  const sc_dt::uint64 node = payload.get_address() / context_.node_address_bytes;
  if (node >= fabric_.node_count()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  destination = static_cast<NodeId>(node);
  if (payload.get_command() != tlm::TLM_READ_COMMAND && payload.get_command() != tlm::TLM_WRITE_COMMAND &&
      payload.get_command() != tlm::TLM_IGNORE_COMMAND)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  length = 2;
  std::uint64_t longest = 2;  // of the message and its reply
  if (payload.is_read() || payload.is_write()) {
    const std::uint64_t bytes = payload.get_data_length();
    if (payload.get_address() % context_.node_address_bytes + bytes > context_.node_address_bytes)
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    const unsigned flit_bytes = fabric_.context().hardware.flit_bytes;
    const std::uint64_t data_length = 2 + (bytes + flit_bytes - 1) / flit_bytes;
    if (payload.get_streaming_width() < bytes || data_length > kLongestMessage || !payload.get_data_ptr())
      return tlm::TLM_BURST_ERROR_RESPONSE;
    longest = data_length;
    if (payload.is_write()) length = static_cast<std::uint32_t>(data_length);
  } else {
    MessageExtension* extension = nullptr;
    payload.get_extension(extension);
    if (extension) length = extension->length;
    if (length < 1 || length > kLongestMessage) return tlm::TLM_BURST_ERROR_RESPONSE;
    longest = length;
  }
  const HardwareParameters& hardware = fabric_.context().hardware;
  const unsigned buffer = hardware.output_buffer > 0 ? std::min(hardware.input_buffer, hardware.output_buffer)
                                                     : hardware.input_buffer;
  if (longest + hardware.extra_flits > kLongestMessage) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (hardware.switching != Switching::wormhole && longest + hardware.extra_flits > buffer)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

NetworkTransaction* NetworkSockets::open(tlm::tlm_generic_payload& payload, NodeId destination,
                                         std::uint32_t length) {
  NetworkTransaction* t = context_.acquire();
  t->payload = &payload;
  t->source = node_;
  t->destination = destination;
  t->length = length;
  if (payload.is_write())
    t->bytes.assign(payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
  return t;
}

void NetworkSockets::send(NetworkTransaction& t, const sc_core::sc_time& delay) {
  const Cycle created = fabric_.next_cycle() + fabric_.cycles_of(delay);
  const MessageKind kind = t.payload->is_read() ? MessageKind::read_request : MessageKind::data;
  send_bytes(t, t.destination, t.length, kind, created);
}

void NetworkSockets::send_bytes(NetworkTransaction& t, NodeId destination, std::uint32_t length,
                                MessageKind kind, Cycle created) {
  t.received.assign(t.bytes.size(), 0);
  const MessageIndex index = interface_.send(destination, length, kind, &t, created);
  fabric_.context().messages[index].carries_bytes = !t.bytes.empty();
}

void NetworkSockets::data_arrived(Message& message, std::uint32_t first, std::uint32_t count) {
  auto& t = *static_cast<NetworkTransaction*>(message.transaction);
  const std::size_t flit_bytes = fabric_.context().hardware.flit_bytes;
  const std::size_t from = first * flit_bytes;
  if (from >= t.bytes.size()) return;
  std::memcpy(&t.received[from], &t.bytes[from], std::min(count * flit_bytes, t.bytes.size() - from));
}

tlm::tlm_sync_enum NetworkSockets::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (!responding_) protocol_error(*this, "END_RESP without a response");
    responding_ = false;
    payload.release();
    next_response();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ)
    protocol_error(*this, "a phase that is not of the base protocol's forward path");
  if (waiting_) protocol_error(*this, "BEGIN_REQ before the END_REQ of the request before it");
  if (!payload.has_mm())
    protocol_error(*this, "nb_transport needs payloads with memory management (tlm_mm_interface)");

  NodeId destination = 0;
  std::uint32_t length = 0;
  if (const auto status = decode(payload, destination, length); status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  NetworkTransaction* t = open(payload, destination, length);
  if (!interface_.accepts()) {
    waiting_ = t;
    waiting_delay_ = delay;
    interface_.want_room();
    return tlm::TLM_ACCEPTED;
  }
  send(*t, delay);
  phase = tlm::END_REQ;
  delay = sc_core::SC_ZERO_TIME;
  return tlm::TLM_UPDATED;
}

void NetworkSockets::source_queue_has_room() {
  if (waiting_) {
    NetworkTransaction* t = waiting_;
    waiting_ = nullptr;
    send(*t, waiting_delay_);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    target_socket->nb_transport_bw(*t->payload, phase, delay);
  }
  if (blocked_ > 0) room_.notify(sc_core::SC_ZERO_TIME);
}

void NetworkSockets::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  NodeId destination = 0;
  std::uint32_t length = 0;
  if (const auto status = decode(payload, destination, length); status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return;
  }
  if (delay != sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  ++blocked_;
  while (!interface_.accepts()) {
    interface_.want_room();
    sc_core::wait(room_);
  }
  --blocked_;
  sc_core::sc_event finished;
  NetworkTransaction* t = open(payload, destination, length);
  t->blocking = true;
  t->finished = &finished;
  send(*t, sc_core::SC_ZERO_TIME);
  while (!t->done) sc_core::wait(finished);
  payload.set_response_status(t->status);
  context_.release(t);
}

unsigned NetworkSockets::transport_dbg(tlm::tlm_generic_payload& payload) {
  const sc_dt::uint64 node = payload.get_address() / context_.node_address_bytes;
  if (node >= fabric_.node_count()) return 0;
  NetworkSockets& far = fabric_.sockets(static_cast<NodeId>(node));
  if (!far.element_bound_) return 0;
  const sc_dt::uint64 address = payload.get_address();
  const unsigned length = payload.get_data_length();
  const sc_dt::uint64 local = address % context_.node_address_bytes;
  payload.set_address(local);
  // Nothing is beyond the node's range.
  payload.set_data_length(
      static_cast<unsigned>(std::min<sc_dt::uint64>(length, context_.node_address_bytes - local)));
  const unsigned bytes = far.initiator_socket->transport_dbg(payload);
  payload.set_address(address);
  payload.set_data_length(length);
  return bytes;
}

void NetworkSockets::message_arrived(MessageIndex index, Message& message, Cycle t) {
  auto* transaction = static_cast<NetworkTransaction*>(message.transaction);
  if (!transaction) return;  // sent without a socket
  if (message.kind == MessageKind::read_reply) {
    tlm::tlm_generic_payload& payload = *transaction->payload;
    if (transaction->status == tlm::TLM_OK_RESPONSE)
      std::memcpy(payload.get_data_ptr(), transaction->received.data(), transaction->received.size());
    finish(*transaction);
    return;
  }
  deliver(*transaction, index, message, t);
}

void NetworkSockets::message_failed(MessageIndex, Message& message, Cycle) {
  auto* transaction = static_cast<NetworkTransaction*>(message.transaction);
  if (!transaction) return;
  transaction->status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  fabric_.sockets(transaction->source).finish(*transaction);
}

void NetworkSockets::deliver(NetworkTransaction& t, MessageIndex index, Message& message, Cycle cycle) {
  const tlm::tlm_generic_payload& sent = *t.payload;
  if (sent.is_write() && std::memcmp(sent.get_data_ptr(), t.received.data(), t.received.size()) != 0) {
    corrupted_ += t.bytes.size();
    for (MessageObserver* observer : fabric_.context().observers)
      observer->message_corrupted(index, message, cycle);
  }
  if (element_bound_) {
    hand_over(t);
    return;
  }
  t.status = sent.is_read() ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
  if (sent.is_read())
    interface_.send(t.source, 2, MessageKind::read_reply, &t, fabric_.next_cycle());
  else
    fabric_.sockets(t.source).finish(t);
}

void NetworkSockets::hand_over(NetworkTransaction& t) {
  const tlm::tlm_generic_payload& sent = *t.payload;
  const sc_dt::uint64 address = sent.get_address() % context_.node_address_bytes;
  tlm::tlm_generic_payload* copy;
  if (sent.is_read() || sent.is_write()) {
    copy = context_.payloads.acquire(sent.get_command(), address, sent.get_data_length());
    if (sent.is_write()) std::memcpy(copy->get_data_ptr(), t.received.data(), t.received.size());
  } else {
    copy = context_.payloads.acquire_message(address, t.length);
  }
  if (requesting_) {  // the element has not yet accepted the previous request
    to_element_.push({copy, &t});
    if (!sent.is_read()) finish_posted(t, tlm::TLM_OK_RESPONSE);
    return;
  }
  begin_request({copy, &t}, !sent.is_read());
}

void NetworkSockets::begin_request(Underway u, bool answer_sender) {
  // A write gets its response on delivery, so the sender sees the element's status only if it is known at
  // once.
  const bool read = u.payload->is_read();
  at_element_.push_back({u.payload, read ? u.transaction : nullptr});
  requesting_ = true;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = initiator_socket->nb_transport_fw(*u.payload, phase, delay);
  const bool responded =
      answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  if (responded || answer == tlm::TLM_UPDATED) requesting_ = false;
  if (answer_sender)
    finish_posted(*u.transaction, responded ? u.payload->get_response_status() : tlm::TLM_OK_RESPONSE);
  if (!responded) return;
  if (answer == tlm::TLM_UPDATED) {
    phase = tlm::END_RESP;
    initiator_socket->nb_transport_fw(*u.payload, phase, delay);
  }
  element_done(*u.payload);
}

void NetworkSockets::finish_posted(NetworkTransaction& t, tlm::tlm_response_status status) {
  t.status = status;
  fabric_.sockets(t.source).finish(t);
}

void NetworkSockets::element_done(tlm::tlm_generic_payload& copy) {
  for (Underway& u : at_element_) {
    if (u.payload != &copy) continue;
    NetworkTransaction* t = u.transaction;
    u = at_element_.back();
    at_element_.pop_back();
    if (t) {
      t->status = copy.get_response_status();
      std::uint32_t length = 2;
      if (t->status == tlm::TLM_OK_RESPONSE) {
        t->bytes.assign(copy.get_data_ptr(), copy.get_data_ptr() + copy.get_data_length());
        const unsigned flit_bytes = fabric_.context().hardware.flit_bytes;
        length += (copy.get_data_length() + flit_bytes - 1) / flit_bytes;
      }
      send_bytes(*t, t->source, length, MessageKind::read_reply, fabric_.next_cycle());
    }
    copy.release();
    return;
  }
  protocol_error(*this, "a response for a payload that is not with the element");
}

tlm::tlm_sync_enum NetworkSockets::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time&) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
    protocol_error(*this, "a phase that is not of the base protocol's backward path");
  const bool response = phase == tlm::BEGIN_RESP;
  if (requesting_) {
    requesting_ = false;
    if (!to_element_.empty()) {
      const Underway next = to_element_.front();
      to_element_.pop();
      begin_request(next, false);
    }
  }
  if (!response) return tlm::TLM_ACCEPTED;
  element_done(payload);
  return tlm::TLM_COMPLETED;
}

void NetworkSockets::finish(NetworkTransaction& t) {
  if (t.blocking) {
    t.done = true;
    t.finished->notify(sc_core::SC_ZERO_TIME);
    return;
  }
  t.payload->set_response_status(t.status);
  responses_.push(&t);
  next_response();
}

void NetworkSockets::next_response() {
  while (!responding_ && !responses_.empty()) {
    NetworkTransaction* t = responses_.front();
    responses_.pop();
    tlm::tlm_generic_payload& payload = *t->payload;
    context_.release(t);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    responding_ = true;
    const tlm::tlm_sync_enum answer = target_socket->nb_transport_bw(payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = false;
      payload.release();
    }
  }
}

}  // namespace flitmend
