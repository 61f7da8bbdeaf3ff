// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

struct NetworkTransaction;

/// A message that carries a transaction's request or reply, or a part of it: Message::transaction.
struct TransactionPart {
  NetworkTransaction* transaction = nullptr;
  std::size_t first = 0;  ///< its first byte
};

/// A processing element's transaction in the network, from its request to its answer.
struct NetworkTransaction {
  tlm::tlm_generic_payload* payload = nullptr;  ///< the initiator's; if it has abandoned it, a copy
  NodeId source = 0;
  NodeId destination = 0;
  unsigned initiator = 0;               ///< its number at the source
  unsigned target = 0;                  ///< its number at the destination
  sc_dt::uint64 address = 0;            ///< within the destination's range
  std::size_t extent = 0;               ///< bytes from there on that it may touch
  std::uint32_t length = 0;             ///< flits of a message without data
  std::uint32_t sequence = 0;           ///< running number of its order: SendOrder
  Cycle created = kNever;               ///< of its request; kNever: its time is still to come
  std::vector<unsigned char> bytes;     ///< carried by the data flits under way
  std::vector<unsigned char> received;  ///< bytes that have arrived
  std::vector<unsigned char> enables;   ///< byte enables; empty: all
  std::vector<TransactionPart> parts;   ///< the messages of its request or, after that, of its reply
  std::size_t parts_left = 0;           ///< of these that have neither arrived nor been lost
  std::size_t parts_unsent = 0;         ///< of these whose last flit has not left
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  std::uint8_t message_class = 0;  ///< of its request
  bool dmi_allowed = false;
  bool sent = false;      ///< its request has entered the source queue
  bool lost = false;      ///< one of its messages has been abandoned
  bool replying = false;  ///< its messages are those of the reply
  bool refused = false;   ///< by the network, which sends nothing; `status` is the answer
  bool answered = false;  ///< the answer is here
  bool in_turn = false;   ///< Ordering::per_initiator: … and only the initiator's older ones keep it back
  bool early = false;     ///< in the reorder buffer, without a place of its own
  bool placed = false;    ///< has a place in the target's request queue
  bool blocking = false;  ///< came through b_transport
  bool issued = false;    ///< blocking: it has had room, and is under way or done
  bool done = false;      ///< blocking: its payload has the answer
  /// Blocking: an exception has ended the call. Nobody waits for the answer.
  bool abandoned = false;
  std::unique_ptr<sc_core::sc_event> answer{};  ///< blocking: it is done; null until it is needed
  sc_core::sc_time due;                         ///< what it waits for happens then

  bool reads() const { return payload->get_command() != tlm::TLM_WRITE_COMMAND; }
  bool writes() const { return payload->get_command() != tlm::TLM_READ_COMMAND; }
};

/// Reusable records of transactions: no allocation in steady state.
class TransactionPool {
 public:
  /// A record without a payload, and without bytes.
  NetworkTransaction* acquire();
  void release(NetworkTransaction* t) { free_.push_back(t); }
  std::size_t in_use() const { return all_.size() - free_.size(); }
  /// Those records. For the end of a run.
  std::vector<const NetworkTransaction*> in_use_now() const;

 private:
  std::vector<std::unique_ptr<NetworkTransaction>> all_;
  std::vector<NetworkTransaction*> free_;
};

}  // namespace flitmend
