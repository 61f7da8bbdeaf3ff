// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Observes the messages of processing elements. Network interfaces call it a few times per message, never
/// per flit. Index and descriptor are always those of the message that its source created, never those of a
/// sub-message, a copy or a control message of a recovery protocol. The descriptor is live during the call.
/// What an observer reports must not depend on the order of calls within one cycle.
class MessageObserver {
 public:
  MessageObserver() = default;
  MessageObserver(const MessageObserver&) = delete;
  MessageObserver& operator=(const MessageObserver&) = delete;
  virtual ~MessageObserver() = default;

  /// It entered the source queue; created, source, destination, length and id are set.
  virtual void message_created(MessageIndex, const Message&) {}
  /// At the end of a run: it was created, and never entered the source queue, for want of room or because
  /// others must be answered before it. Created, source, destination and length are set.
  virtual void message_held_back(const Message&) {}
  /// Its head left the source queue for the first time; injected is set.
  virtual void message_injected(MessageIndex, const Message&, Cycle) {}
  /// Node `at` consumed its last flit; hops is set.
  virtual void message_delivered(MessageIndex, const Message&, NodeId /*at*/, Cycle) {}
  /// The bytes delivered differ from those sent. Before or after message_delivered, once per message.
  virtual void message_corrupted(MessageIndex, const Message&, Cycle) {}

  /// A fault has cut it: some of its flits are lost, or its path. Once per message, when a fault first hits
  /// it, and before any later event of the message.
  virtual void message_hit(MessageIndex, const Message&, Cycle) {}
  /// Its sender abandoned it: there is no route to the destination.
  virtual void message_undeliverable(MessageIndex, const Message&, Cycle) {}
  /// Its source is permanently dead, and it did not arrive.
  virtual void message_void(MessageIndex, const Message&, Cycle) {}
  /// Known to be lost in a fault, and not to be recovered.
  virtual void message_lost(MessageIndex, const Message&, Cycle) {}
  /// A reset of the fabric has discarded it.
  virtual void message_discarded(MessageIndex index, const Message& message, Cycle t) {
    message_lost(index, message, t);
  }
};

/// Observes packets on the wires, including those of a recovery protocol, which MessageObserver does not see.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;
  /// A fault has cut a packet, a control message or, without a protocol's ends, a message: some of its flits
  /// are lost, or its path. Once per descriptor, in that cycle or the next, and before message_hit of the
  /// message that it carries.
  virtual void packet_cut(MessageIndex, const Message&, Cycle) {}
  /// The head of a further packet of an original leaves its interface: it is sent again, or a part of it. Or
  /// a router restarts it.
  virtual void message_resent(MessageIndex, const Message& /*original*/, Cycle) {}
  /// The head of a control message leaves its interface.
  virtual void control_sent(MessageIndex, const Message&, Cycle) {}
};

}  // namespace flitmend
