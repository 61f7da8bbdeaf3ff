// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/cut_message.h"

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
  /// The head of a packet has been consumed.
  virtual void head_consumed(MessageIndex) {}
  /// All data of a padded packet have been consumed, and its first pad or, if it has none, its tail.
  virtual void data_consumed(Cycle, MessageIndex) {}
  /// The rest of a packet that has not arrived whole has been torn down. Only of padded packets.
  virtual void rest_torn_down(Cycle, MessageIndex) {}
  /// A packet that was being sent on a virtual channel has been torn down: a router on its path says so, or
  /// the router of this node has died. Nothing more of it leaves. `no_route`: its head found no route. Only
  /// of padded packets.
  virtual void torn_down(Cycle, MessageIndex, unsigned /*vc*/, bool /*no_route*/) {}
  /// The tail of a packet has been consumed. `broken`: only a piece has arrived, else the whole packet.
  virtual void tail_consumed(Cycle t, MessageIndex packet, bool broken) = 0;
  /// No flit of a packet of this node is left, and it did not arrive whole; or it is an original that cannot
  /// be sent at all. Called at the end of a cycle. The unit releases the descriptor.
  virtual void spent(Cycle t, MessageIndex) = 0;
  /// The router of this node is C: the next router on the packet's path has died, or their link. Or the
  /// router of this node has died, and its interface is C for a packet that it was sending or had sent; then
  /// sent() is called first. Or a head waited too long at a fault in the router of this node. Never for
  /// control messages. Called in the cycle in which C sees the fault; the same packet may be reported by
  /// several routers, and several times.
  virtual void message_cut(Cycle, const CutMessage&) {}
  /// This node's router has failed after cycle t: what it was handing over is lost.
  virtual void router_failed(Cycle) {}
  /// The path that a packet of this node has held is released: the acknowledgement has returned over it, or
  /// a fault has cut it, or the router of this node has died. Only if paths are held.
  virtual void path_released(Cycle, MessageIndex /*packet*/, bool /*acknowledged*/) {}
  /// A message of this node has been delivered at cycle t. Only the simulator knows that: a protocol may use
  /// it to drop its copy, and to stop a timer where it assumes that the processing elements' own replies do.
  /// Called at the end of the cycle for the messages in NetworkContext::delivered.
  virtual void delivered(Cycle, MessageIndex) {}
  /// The processing element is permanently faulty.
  virtual void node_died(Cycle t) = 0;
  /// Its timers: called while it is busy, before packets leave, at least from next_due() on; may be called at
  /// other times.
  virtual void evaluate(Cycle t) = 0;
  virtual bool busy() const = 0;
  /// Whether it does more than to keep copies of messages that have arrived.
  virtual bool active() const { return busy(); }
  /// Whether a timer that runs takes a packet of this node out of the network if it stands still.
  virtual bool timer_ends_wait(MessageIndex /*packet*/) const { return false; }
  /// While it is busy, and nothing else happens: evaluate() is not needed before that cycle.
  virtual Cycle next_due() const { return 0; }
  /// Messages in the source queue that have not reached the injector yet.
  virtual std::size_t waiting() const = 0;
  /// A reset has cleared everything.
  virtual void clear() = 0;
};

}  // namespace flitmend
