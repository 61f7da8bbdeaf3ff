// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/message.h"

namespace flitmend {

/// The sending and the receiving end of a recovery protocol at one network interface. The sending end keeps a
/// message until it is known to have arrived, the receiving end recognizes duplicates. Called a few times per
/// message, never per flit.
///
/// The message of a processing element is an original, which never leaves the unit's memory. Only packets and
/// control messages travel. A packet has its own descriptor, whose Message::original names the original.
class InterfaceRecovery {
 public:
  virtual ~InterfaceRecovery() = default;

  /// The processing element has created a message.
  virtual void send(MessageIndex original) = 0;
  /// The last flit of a packet left at cycle t, or a fault of the router cut the packet at t.
  virtual void sent(Cycle t, MessageIndex packet) = 0;
  /// The head of a packet has been consumed. Returns false if its data are not wanted.
  virtual bool head_consumed(MessageIndex packet) = 0;
  /// The tail of a packet has been consumed. `broken`: only a piece has arrived, else the whole packet.
  virtual void tail_consumed(Cycle t, MessageIndex packet, bool broken) = 0;
  /// No flit of a packet of this node is left, and it did not arrive whole; or it is an original that cannot
  /// be sent at all. Called at the end of a cycle. The unit releases the descriptor.
  virtual void spent(Cycle t, MessageIndex) = 0;
  /// The processing element is permanently faulty.
  virtual void node_died(Cycle t) = 0;
  /// Its timers: called in every cycle while it is busy, before packets leave.
  virtual void evaluate(Cycle t) = 0;
  virtual bool busy() const = 0;
  /// Messages in the source queue that have not reached the injector yet.
  virtual std::size_t waiting() const = 0;
  /// A reset has cleared everything.
  virtual void clear() = 0;
};

}  // namespace flitmend
