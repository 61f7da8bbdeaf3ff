// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/message.h"

namespace flitmend {

/// Observes what faults do to the packets on the wires: unlike MessageObserver, also to those that a recovery
/// protocol sends.
class CutObserver {
 public:
  virtual ~CutObserver() = default;
  /// A fault has cut a packet, a control message or, without a protocol's ends, a message: some of its flits
  /// are lost, or its path. Once per descriptor, in that cycle or the next, and before message_hit of the
  /// message that it carries.
  virtual void packet_cut(MessageIndex, const Message&, Cycle) = 0;
};

}  // namespace flitmend
