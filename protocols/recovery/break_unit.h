// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/router.h"

namespace flitmend {

/// What every recovery protocol does about a message that a fault has cut, to free its channels: the router
/// before the fault absorbs the rest of the message, and the router after the fault appends a broken tail
/// (NFT). After a repair, RESYNC says when an output virtual channel may be used again. A head that finds
/// only faulty ports for longer than a limit is absorbed, and its message is undeliverable.
///
/// Its registers are in the router's block: PortExtras::held_vcs, tail_due, resync_due; HeadRoute::waited.
class BreakUnit : public RouterRecovery {
 public:
  static constexpr ControlLineSet kControlLines = line_bit(ControlLine::resynchronise);

  /// head_wait: cycles that a head waits at a fault; no_way_wait: the same if it has no way on at all.
  explicit BreakUnit(unsigned head_wait) : BreakUnit(head_wait, head_wait) {}
  BreakUnit(unsigned head_wait, unsigned no_way_wait) : head_wait_(head_wait), no_way_wait_(no_way_wait) {}

  FlitHooks hooks() const override { return 0; }
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  bool flit_arrived(Router&, Cycle, unsigned, const Flit&) override { return true; }
  void flit_crossed(Router&, Cycle, unsigned, unsigned, const Flit&) override {}
  void flit_absorbed(Router&, Cycle, unsigned, const Flit&) override {}
  void router_reset(Router&) override;
  void router_failed(Router&) override;
  void router_repaired(Router&) override;
  void evaluate(Router&, Cycle) override;

 protected:
  /// The router after this one on a message's path has died, or the link, and some of its flits have left. By
  /// default the others are absorbed.
  virtual void cut(Router&, Cycle, unsigned input_id);
  /// They are about to be absorbed.
  virtual void message_cut(Router&, Cycle, unsigned /*input_id*/) {}
  /// What is done with a message whose tail will not come, because the router before this one has died, or
  /// the link.
  virtual void cut_behind(Router&, Cycle, unsigned input_id);
  /// What is done with a message whose head has waited too long at a fault. `no_way`: it has no candidate
  /// that leads on; otherwise it has only lost its escape channel.
  virtual void head_waited(Router&, Cycle, unsigned input_id, bool no_way);
  /// Notes why a message whose head has waited too long is taken out of the network.
  static void count_wait(Router&, Cycle, unsigned input_id, bool no_way);
  /// Keeps every output virtual channel of a port unallocated until RESYNC.
  static void hold_port(Router&, unsigned port);
  static unsigned network_ports(const Router&);
  /// Asks for a message that this router knows to be cut: tells the interface of this node. A switch of a
  /// network has none.
  virtual void ask(Router&, Cycle, const CutMessage&);

 private:
  /// Asks for the message of the head at the front, which is about to be absorbed.
  void head_gave_up(Router&, Cycle, unsigned input_id, bool no_way);
  void output_failed(Router&, Cycle, unsigned port);
  void input_failed(Router&, Cycle, unsigned port);
  void append_tail(Router&, Cycle, unsigned id);
  /// False once the port has nothing left to do.
  bool append_tails_due(Router&, Cycle, unsigned port);
  bool resynchronise(Router&, Cycle, unsigned port);
  /// Counts the cycles for which heads have waited at the fault. False if none waits.
  bool time_heads(Router&, Cycle);

  unsigned head_wait_;
  unsigned no_way_wait_;
};

}  // namespace flitmend
