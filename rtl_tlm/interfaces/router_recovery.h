// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "rtl_tlm/signals/flit.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

class Router;
class UnitView;
template <class Owner>
struct RegisterEntry;

/// The registers that a protocol adds in its recovery units, at most kWordBits; their storage is
/// Storage::object (rtl_tlm/registers/unit_registers.h).
using UnitRegisters = std::span<const RegisterEntry<UnitView>>;

/// The recovery unit of one router: it is told what happens at the virtual channels, and acts through the
/// router's operations (Router::absorb, append, flush_output, reroute, hold, rewind, …). HardwareParameters
/// has the hardware that a protocol requires. A router without a unit has no overhead: it uses a
/// separate instance of the cycle (RouterCycle). Ids name virtual channels: port · virtual channels + vc.
class RouterRecovery {
 public:
  virtual ~RouterRecovery() = default;

  /// The flits about which flit_arrived and flit_crossed are called.
  virtual FlitHooks hooks() const { return 0; }
  /// The fault status bit of the incoming or outgoing channel of a port has changed.
  virtual void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) = 0;
  /// Control signals have arrived at a port: forward lines of its input channel, or backward lines of its
  /// output channel.
  virtual void control_arrived(Router&, Cycle, unsigned port, bool input_side) = 0;
  /// Such a flit has arrived for an input virtual channel and is about to be accepted. False: the router
  /// discards it and returns its credit.
  virtual bool flit_arrived(Router&, Cycle, unsigned /*input_id*/, const Flit&) { return true; }
  /// A head or tail has crossed the crossbar from an input to an output virtual channel.
  virtual void flit_crossed(Router&, Cycle, unsigned /*input_id*/, unsigned /*output_id*/, const Flit&) {}
  /// Without an injection channel: the injector tears down the message on a virtual channel of the local
  /// port.
  virtual void injection_torn_down(Router&, Cycle, unsigned /*input_id*/) {}
  /// The head at the front of that virtual channel has computed its route and has no candidate.
  virtual void no_route(Router&, unsigned /*input_id*/) {}
  /// A flit in ABSORB has been discarded.
  virtual void flit_absorbed(Router&, Cycle, unsigned /*input_id*/, const Flit&) {}
  /// The whole network has been reset: everything in it is lost.
  virtual void router_reset(Router&) = 0;
  /// This router is dead: everything in it is lost.
  virtual void router_failed(Router&) = 0;
  /// This router alone is back after a fault, empty, and will be evaluated in the next cycle.
  virtual void router_repaired(Router&) = 0;
  /// Whether it still has to tell somebody of a message that a fault has cut, and can.
  virtual bool has_requests(const Router&) const { return false; }
  /// Whether a timer that runs takes the head at the front of that virtual channel out of the network. That
  /// of recovery from deadlock does not count: it ends deadlocks, which are to be seen.
  virtual bool timer_ends_wait(const Router&, unsigned /*input_id*/) const { return false; }
  /// Called once per cycle, before route computation, while active (Router::set_recovery_active).
  virtual void evaluate(Router&, Cycle) = 0;
};

}  // namespace flitmend
