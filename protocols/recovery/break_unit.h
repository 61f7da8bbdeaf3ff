// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "protocols/recovery/switch_requests.h"
#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

class BreakUnit;

/// The handling of a message that a fault has cut or stopped, in the routers next to the fault. A protocol
/// with a different handling overrides some of these in its recovery unit, which has a BreakUnit. Ids name
/// virtual channels: port · virtual channels + vc.
class CutHandling {
 public:
  /// The router after this one on a message's path, or the link to it, has died, and some flits of the
  /// message have left. By default the others are absorbed.
  virtual void cut(Router&, Cycle, unsigned input_id);
  /// The tail of a message will not arrive, because the router before this one, or the link from it, has
  /// died. By default a broken tail is appended.
  virtual void cut_behind(Router&, Cycle, unsigned input_id);
  /// The head of a message has waited too long at a fault. `no_route`: it has no candidate at a healthy port;
  /// otherwise it has only lost its escape channel. By default the interface of this node is told
  /// (BreakUnit::ask), and the message is absorbed.
  virtual void head_waited(BreakUnit&, Router&, Cycle, unsigned input_id, bool no_route);

 protected:
  ~CutHandling() = default;
};

/// Frees the channels of messages that a fault has cut, as every recovery protocol must: the router before
/// the fault absorbs the rest of the message, and the router after the fault appends a broken tail (NFT).
/// After a repair, RESYNC says when an output virtual channel may be used again. A head that finds only
/// faulty ports for longer than a limit is absorbed, and its message is undeliverable.
///
/// For protocols that need nothing else in a router, this is the whole recovery unit. The units of the others
/// are BreakingUnits.
///
/// Its registers are in the router's block: PortExtras::held_vcs, tail_due, resync_due; HeadRoute::waited.
/// Those of requests between switches and nodes are its own (kRequestRegisters).
class BreakUnit final : public RouterRecovery {
 public:
  static constexpr ControlLineSet kControlLines = line_bit(ControlLine::resynchronise);

  /// With the default handling. head_wait: cycles that a head waits at a fault.
  explicit BreakUnit(unsigned head_wait);
  /// `handling` outlives it.
  BreakUnit(CutHandling& handling, unsigned head_wait) : BreakUnit(handling, head_wait, head_wait) {}
  /// no_route_wait: cycles that a head waits if it has no candidate at a healthy port.
  BreakUnit(CutHandling& handling, unsigned head_wait, unsigned no_route_wait)
      : handling_(handling), head_wait_(head_wait), no_route_wait_(no_route_wait) {}

  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  void router_reset(Router&) override;
  void router_failed(Router&) override;
  void router_repaired(Router&) override;
  void evaluate(Router&, Cycle) override;
  bool timer_ends_wait(const Router&, unsigned input_id) const override;
  bool has_requests(const Router& router) const override { return request_sender_.has_work(router); }

  /// Adds the wires over which switches hand their requests to nodes.
  static void equip(HardwareParameters&, const Topology&);
  const RequestSender& request_sender() const { return request_sender_; }
  const RequestReceiver& request_receiver() const { return request_receiver_; }

  // --- What a CutHandling is composed of ---

  /// A fault has hit the message in an input virtual channel, some of whose flits have left.
  static void count_cut(Router&, Cycle, unsigned input_id);
  /// Notes why a message whose head has waited too long is taken out of the network.
  static void count_wait(Router&, Cycle, unsigned input_id, bool no_route);
  /// The message of the head at the front, to ask for it; none if it is a control message.
  static std::optional<CutMessage> waiting_message(Router&, unsigned input_id, bool no_route);
  /// Requests retransmission of a cut message through the local network interface. A switch has none: it
  /// hands the request to a node next to it, if the protocol has the wires for that (equip).
  void ask(Router&, Cycle, const CutMessage&);
  /// Keeps every output virtual channel of a port unallocated until RESYNC.
  static void hold_port(Router&, unsigned port);
  static unsigned network_ports(const Router&);

 private:
  friend CutHandling;
  void output_failed(Router&, Cycle, unsigned port);
  void input_failed(Router&, Cycle, unsigned port);
  static void append_tail(Router&, Cycle, unsigned id);
  /// False once the port has nothing left to do.
  static bool append_tails_due(Router&, Cycle, unsigned port);
  static bool resynchronise(Router&, Cycle, unsigned port);
  void forget_requests();
  /// Counts the cycles for which heads have waited at the fault. False if none waits.
  bool time_heads(Router&, Cycle);

  CutHandling& handling_;
  unsigned head_wait_;
  unsigned no_route_wait_;
  RequestSender request_sender_;      ///< used in a switch
  RequestReceiver request_receiver_;  ///< used in the router of a node next to one
};

/// A recovery unit that has a BreakUnit. It passes on to it what it is told, and handles the messages that
/// the BreakUnit finds cut: a protocol overrides what it does in its own way.
class BreakingUnit : public RouterRecovery, protected CutHandling {
 public:
  explicit BreakingUnit(unsigned head_wait) : BreakingUnit(head_wait, head_wait) {}
  /// no_route_wait: as in BreakUnit.
  BreakingUnit(unsigned head_wait, unsigned no_route_wait) : break_(*this, head_wait, no_route_wait) {}

  void channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) override {
    break_.channel_status_changed(router, t, port, input_side, faulty);
  }
  void control_arrived(Router& router, Cycle t, unsigned port, bool input_side) override {
    break_.control_arrived(router, t, port, input_side);
  }
  void router_reset(Router& router) override { break_.router_reset(router); }
  void router_failed(Router& router) override { break_.router_failed(router); }
  void router_repaired(Router& router) override { break_.router_repaired(router); }
  bool has_requests(const Router& router) const override { return break_.has_requests(router); }
  void evaluate(Router& router, Cycle t) override { break_.evaluate(router, t); }
  bool timer_ends_wait(const Router& router, unsigned input_id) const override {
    return break_.timer_ends_wait(router, input_id);
  }
  const BreakUnit& break_unit() const { return break_; }

 protected:
  BreakUnit break_;
};

}  // namespace flitmend
