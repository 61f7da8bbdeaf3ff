// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/registry.h"
#include "protocols/recovery/request_registers.h"
#include "protocols/recovery/sbrp/ends.h"
#include "rtl_tlm/mechanisms/copies/copies.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend::utp {
namespace {

/// The router's part of UTP [Dally94]: it does not absorb what a fault has cut, but restarts it from the
/// copies in this router (Router::restart).
class Unit final : public BreakingUnit {
 public:
  static constexpr ControlLineSet kControlLines = BreakUnit::kControlLines | line_bit(ControlLine::copied);

  using BreakingUnit::BreakingUnit;
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void evaluate(Router&, Cycle) override;

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  /// False if no virtual channel is in BACKUP.
  static bool end_backups(Router&, Cycle);
};

void Unit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
  if (input_side && faulty) {
    RouterState state = router.state();
    for (unsigned vc = 0; vc < state.vcs(); ++vc) Copies::end_renaming(state, port * state.vcs() + vc);
  }
  break_.channel_status_changed(router, t, port, input_side, faulty);
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  RouterState state = router.state();
  router.context().broken.hit(state.head_copy(id).message, t);
  Copies::restart(state, t, id);
}

bool Unit::end_backups(Router& router, Cycle t) {
  RouterState state = router.state();
  bool any = false;
  for (unsigned id = 0; id < state.ids(); ++id) {
    if (state.route_fsm(id) != RouteFsm::backup) continue;
    if (t < state.route(id).ready)
      any = true;
    else
      Copies::end_backup(state, t, id);
  }
  return any;
}

void Unit::evaluate(Router& router, Cycle t) {
  break_.evaluate(router, t);
  if (end_backups(router, t)) router.set_recovery_active(true);
}

/// Both ends of UTP at a node. The sending end is B for its own router (Copies): when that dies, it sends
/// again the flits that the next router does not have. The receiving end joins the parts of a message and
/// drops duplicates. A node requests only messages whose head its router, or a switch next to it, has
/// absorbed, because it had waited too long at a fault. All this is as in SBRP-1. But routers keep copies for
/// some cycles after the flits themselves are gone, so descriptors are released later.
class Ends final : public sbrp::Ends {
 public:
  using sbrp::Ends::Ends;

  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void evaluate(Cycle t) override {
    if (!spent_.empty()) release_spent(t);
    sbrp::Ends::evaluate(t);
  }
  bool busy() const override { return sbrp::Ends::busy() || !spent_.empty(); }
  bool active() const override { return sbrp::Ends::active() || !spent_.empty(); }
  Cycle next_due() const override { return spent_.empty() ? sbrp::Ends::next_due() : 0; }
  void clear() override;

 private:
  struct Spent {
    MessageIndex packet = kNoMessage;
    Cycle due = 0;
  };

  /// Releases the descriptors of packets of which no copy can be left.
  void release_spent(Cycle t);
  /// No flit of a packet is left.
  void hold(Cycle t, MessageIndex packet);

  RingQueue<Spent> spent_;
};

// Nobody joins the parts of a control message: requests are repeated, and the guard sends again what was not
// acknowledged. A restarted rest is shorter than the message, unless nothing of it is missing.
void Ends::tail_consumed(Cycle t, MessageIndex packet, bool broken) {
  if (!is_control(packet))
    receiver_.tail_consumed(t, packet);
  else if (!broken && context_.messages[packet].length == sbrp::kControlLength)
    control_arrived(t, packet);
  context_.broken.piece_ended(packet);
}

void Ends::spent(Cycle t, MessageIndex index) {
  if (!is_control(index) && context_.messages[index].original == kNoMessage) {  // from a dead node
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
    return;
  }
  if (is_control(index)) sent(t, index);  // or it never left: its destination is dead
  hold(t, index);
}

// Routers keep copies until COPIED has arrived: some cycles longer than the flits themselves exist.
void Ends::hold(Cycle t, MessageIndex index) {
  ++context_.messages.fields(index).packets;
  spent_.push({index, t + context_.hardware.ring});
  interface_.stay_awake();
}

// A copy that was sent again in the meantime keeps the descriptor until it has gone too.
void Ends::release_spent(Cycle t) {
  for (; !spent_.empty() && spent_.front().due <= t; spent_.pop()) {
    const MessageIndex index = spent_.front().packet;
    ProtocolFields& fields = context_.messages.fields(index);
    if (--fields.packets > 0 || !context_.broken.ended(index)) continue;
    const MessageIndex first_part = fields.part_of;
    if (is_control(index))
      context_.messages.release(index);
    else
      sender_.packet_gone(t, index);
    if (first_part != kNoMessage && --context_.messages.fields(first_part).packets == 0 &&
        context_.broken.ended(first_part))
      hold(t, first_part);
  }
}

void Ends::clear() {
  sbrp::Ends::clear();
  spent_.clear();
}

}  // namespace
}  // namespace flitmend::utp

namespace flitmend {
namespace {

constexpr RecoveryNeeds kNeeds{
    .flit_counter = true,
    .head_copy = true,
    .mechanisms = MechanismSet{Mechanism::copies},
    .control_lines = utp::Unit::kControlLines,
    .control_messages = true,
    .padding = false,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = FinishedIds::kWindow,
};

/// The Unique Token Protocol of the Reliable Router [Dally94].
class Utp final : public RecoveryProtocol {
 public:
  Utp(const RecoverySettings& s, unsigned head_wait)
      : RecoveryProtocol(kNeeds),
        parameters_(sbrp::Parameters::from(s, {.sub_messages = true, .routers_restart = true})),
        head_wait_(head_wait) {
    parameters_.compose = parameters_.receive = 0;  // no software: network interfaces ask and send again
  }
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<utp::Unit>(head_wait_);
  }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<utp::Ends>(interface, interface.context(), parameters_);
  }

  UnitRegisters unit_registers() const override { return kRequestRegisters; }

 private:
  void equip(HardwareParameters& hardware, const Topology& topology) const override {
    BreakUnit::equip(hardware, topology);
  }

  sbrp::Parameters parameters_;
  unsigned head_wait_;
};

}  // namespace

RecoveryEntry utp_recovery() {
  return {
      .name = "utp",
      .description =
          "the router before a fault restarts the rest of the message from its copies of the flits",
      .needs = kNeeds,
      .traits = {.overhead_on_every_message = false,
                 .multiple_faults = false,
                 .head_loss = true,
                 .resends_whole = false,
                 .resends_part = true},
      .keys = {"retry_limit", "backoff_limit", "guard_timeout", "guard_acknowledgement"},
      .options = {&sbrp::kAskTimeout, &sbrp::kRepeatTimeout},
      .control_length = sbrp::kControlLength,
      .bytes_per_source = sizeof(FinishedIds),
      // Without a guard, faults of two adjacent routers, or of a link and then of the router before it, lose
      // what only they had.
      .may_lose =
          [](const RecoverySettings& s, const HardwareParameters&) {
            return s.guard_acknowledgement == "off" ? kLongestMessage : std::uint32_t{0};
          },
      .make = [](const RecoverySettings& s,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<Utp>(s, static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
