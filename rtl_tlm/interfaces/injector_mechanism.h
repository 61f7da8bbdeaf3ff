// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/bits.h"
#include "rtl_tlm/signals/control_line.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

class InterfaceRecovery;

/// Virtual channels of an injector that a mechanism closes.
struct InjectorGates {
  VcMask heads = 0;  ///< no message is given them
  VcMask tails = 0;  ///< the next tail waits
};

/// What a mechanism of the routers adds to an injector, which is the router before that of its node: it
/// remembers packets after flits of them have left. It opens and closes the injector's gates. Called for
/// heads, tails and control lines, not for the flits between them.
class InjectorMechanism {
 public:
  virtual ~InjectorMechanism() = default;

  /// The control line that the router of the node raises for the injector. It arrives as credits do.
  virtual ControlLine line() const = 0;
  /// It has arrived for these virtual channels; at least one.
  virtual void line_arrived(VcMask) = 0;
  /// Whether the interface raises that line for each tail that it consumes.
  virtual bool answers_tails() const { return false; }
  /// Whether an injector without a message to send may sleep until a buffer has room again.
  virtual bool needs_room_signal() const { return false; }
  /// Whether it asks by itself for packets of which only a part has left when the router dies.
  virtual bool asks_for_parts() const { return false; }
  /// The head of a packet has left on a virtual channel.
  virtual void head_left(unsigned /*vc*/, MessageIndex /*packet*/) {}
  /// The tail of a packet has left on a virtual channel, the last of `flits`.
  virtual void tail_left(Cycle, unsigned vc, MessageIndex packet, std::uint32_t flits, bool virtual_tail) = 0;
  /// A tail waits in this cycle, as its gate is closed.
  virtual void count_wait(unsigned /*vc*/) {}
  /// The node's router is dead: first for each virtual channel, lowest first, then as a whole. The recovery
  /// protocol's end of the node may be null.
  virtual void vc_failed(Cycle, unsigned /*vc*/, InterfaceRecovery*) {}
  virtual void router_failed(Cycle, InterfaceRecovery*) {}
  virtual void clear() = 0;
};

}  // namespace flitmend
