// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_tlm/crossbar.h"
#include "rtl_tlm/router_operations.h"
#include "rtl_tlm/switch_allocator.h"
#include "rtl_tlm/vc_allocator.h"

namespace flitmend {

/// A router. Each port has an InputController (input buffers, route FSMs, flit counters and head-copy
/// registers of its virtual channels) and an OutputController (owners and credits of output virtual channels,
/// output buffers, link arbiter); a VcAllocator, a SwitchAllocator and a Crossbar.
///
/// Ports are the topology's network ports in their order, then the local port if the router is a node. A port
/// that leads nowhere has no channels. What a RouterRecovery may do to the router is in RouterOperations.
///
/// A clock cycle evaluates, in this order (RouterCycle::evaluate):
///
///   receive_control     fault status and control lines
///   receive_credits     credits, into the output controllers
///   receive_flits       flits, into the input buffers; heads that are at the front start route computation
///   evaluate_recovery   the recovery unit, where there is one
///   absorb              virtual channels in ABSORB discard a flit each
///   allocate_vcs        route computation, then VC allocation, of the heads at the front
///   allocate_switch     switch allocation; the flits granted cross the crossbar, or are ejected
///   arbitrate_links     from the output buffers onto the links
///
/// A Fabric, or a ClockedRouter, calls it once per clock cycle. A router has no SystemC ports: channels are
/// connected directly. RouterWiring has its registers, and says how arrivals wake it.
class Router : public RouterOperations {
 public:
  Router(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~Router() override;

  RouterId id() const { return state_.header().id; }
  unsigned port_count() const { return state_.ports(); }
  bool has_local_port() const { return local_port() != RouterLayout::kNoPort; }
  unsigned local_port() const { return state_.layout().local_port; }

  InputController& input(unsigned port) { return *inputs_[port]; }
  const InputController& input(unsigned port) const { return *inputs_[port]; }
  OutputController& output(unsigned port) { return *outputs_[port]; }
  const OutputController& output(unsigned port) const { return *outputs_[port]; }
  VcAllocator& vc_allocator() { return *vc_allocator_; }
  SwitchAllocator& switch_allocator() { return *switch_allocator_; }
  const Crossbar& crossbar() const { return *crossbar_; }

  /// One clock cycle. True if work remains that no arrival will announce.
  bool evaluate(Cycle t) { return evaluate(state_, t); }
  using RouterWiring::evaluate;
  /// Clears everything in the router except its interface; flits in it are lost. Call it instead of
  /// evaluate().
  void clear();
  /// A fault after the evaluation of cycle t: the router is dead, and everything in it is lost. Call it after
  /// its channels have failed.
  void fail(Cycle t);
  /// The router is back, empty, from the cycle after t on. Call it after its channels have been repaired.
  void repair(Cycle t);
  bool down() const { return state_.header().down; }

 private:
  /// The flits in its buffers are lost in a fault.
  void lose_flits(Cycle);

  std::vector<std::unique_ptr<InputController>> inputs_;
  std::vector<std::unique_ptr<OutputController>> outputs_;
  std::unique_ptr<VcAllocator> vc_allocator_;
  std::unique_ptr<SwitchAllocator> switch_allocator_;
  std::unique_ptr<Crossbar> crossbar_;
};

}  // namespace flitmend
