// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Observes packets on the wires: unlike MessageObserver, also those that a recovery protocol sends.
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
