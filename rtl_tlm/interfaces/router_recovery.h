// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/flit.h"
#include "rtl_tlm/message.h"

namespace flitmend {

class Router;

/// The recovery unit of one router: hears what happens at its virtual channels and acts through the router's
/// own operations (Router::absorb, append, flush_output, reroute, hold, rewind, …). What a protocol asks of
/// the hardware is in HardwareParameters. A router without a unit pays nothing: its cycle is an instance of
/// its own (RouterCycle). Ids name virtual channels: port · virtual channels + vc.
class RouterRecovery {
 public:
  virtual ~RouterRecovery() = default;

  /// Whether the unit is told about flits that arrive and cross: a virtual call each. Otherwise it is told
  /// about faults, control lines, resets and absorbed flits only.
  virtual bool hears_flits() const = 0;
  /// The fault status bit of the channel that arrives, or leaves, at a port has changed.
  virtual void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) = 0;
  /// Control signals have arrived at a port: with the flits of its input, or against the flits of its output.
  virtual void control_arrived(Router&, Cycle, unsigned port, bool input_side) = 0;
  /// A flit has arrived for an input virtual channel and is about to be accepted. False: the router discards
  /// it and returns its credit.
  virtual bool flit_arrived(Router&, Cycle, unsigned input_id, const Flit&) = 0;
  /// A flit has crossed the crossbar from an input to an output virtual channel.
  virtual void flit_crossed(Router&, Cycle, unsigned input_id, unsigned output_id, const Flit&) = 0;
  /// A flit in ABSORB has been discarded.
  virtual void flit_absorbed(Router&, Cycle, unsigned input_id, const Flit&) = 0;
  /// The whole network has been reset: everything in it is lost.
  virtual void router_reset(Router&) = 0;
  /// This router is dead: everything in it is lost.
  virtual void router_failed(Router&) = 0;
  /// This router alone is back after a fault, empty, and will be evaluated in the next cycle.
  virtual void router_repaired(Router&) = 0;
  /// Once a cycle before route computation, while the unit has asked for it (Router::set_recovery_active).
  virtual void evaluate(Router&, Cycle) = 0;
};

}  // namespace flitmend
