// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/message.h"

namespace flitmend {

/// The two ends of a recovery protocol at one network interface: what keeps a message until it has surely
/// arrived, and what tells a copy from the message. Called a few times a message, never a flit.
///
/// The message of a processing element is an original, which never leaves the unit's memory. What travels are
/// packets: descriptors of their own whose Message::original names it, and control messages.
class InterfaceRecovery {
 public:
  virtual ~InterfaceRecovery() = default;

  /// The processing element has created a message.
  virtual void send(MessageIndex original) = 0;
  /// The last flit of a packet has left at cycle t, or a fault of the router has cut it there.
  virtual void sent(Cycle t, MessageIndex packet) = 0;
  /// The head of a packet has been consumed. False: its data are not taken.
  virtual bool head_consumed(MessageIndex packet) = 0;
  /// Its tail has: all of it has arrived, or (broken) a piece.
  virtual void tail_consumed(Cycle t, MessageIndex packet, bool broken) = 0;
  /// No flit of a packet of this node is left, and it did not arrive whole. Or it is an original that cannot
  /// be sent at all. Told at the end of a cycle; the descriptor is the unit's to release.
  virtual void spent(Cycle t, MessageIndex) = 0;
  /// The processing element is permanently faulty.
  virtual void node_died(Cycle t) = 0;
  /// Its timers, every cycle while it is busy, before packets leave.
  virtual void evaluate(Cycle t) = 0;
  virtual bool busy() const = 0;
  /// Messages that are in the source queue, but not at the injector yet.
  virtual std::size_t waiting() const = 0;
  /// A reset has lost everything.
  virtual void clear() = 0;
};

}  // namespace flitmend
