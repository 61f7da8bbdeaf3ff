#pragma once
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/virtual_channel.h"

namespace flitmend {

/// The input controller of a port (Fig. 42): takes flits off its channel into the FIFO bank of their virtual
/// channel, shows heads to the route FSM, returns credits.
class InputController : public sc_core::sc_module {
 public:
  InputController(sc_core::sc_module_name, RouterState&, const HardwareParameters&, const MessagePool&,
                  unsigned port);

  unsigned port() const { return port_; }
  unsigned vc_count() const { return static_cast<unsigned>(vcs_.size()); }
  VirtualChannel& vc(unsigned i) { return *vcs_[i]; }
  const VirtualChannel& vc(unsigned i) const { return *vcs_[i]; }

  /// Puts a flit into the bank of virtual channel flit.vc. A full bank or a body flit without a head is a
  /// model error (sc_report "flitmend/protocol").
  void accept(Cycle t, const Flit& flit) {
    const unsigned id = port_ * state_.vcs + flit.vc;
    InputVcState& vc = state_.input[id];
    if (state_.room(id) == 0) [[unlikely]]
      overflow(t, flit);
    unsigned place = vc.first + vc.count;
    if (place >= state_.depth) place -= state_.depth;
    state_.fifo_at(id, place) = flit;
    ++vc.count;
    set_bit(state_.occupied.data(), id);
    if (vc.fsm == RouteFsm::idle) show_head(t, id);
  }

  /// Takes the front flit out of a bank. The caller returns the credit.
  Flit take(unsigned id) {
    InputVcState& vc = state_.input[id];
    const Flit flit = state_.front(id);
    vc.first = static_cast<std::uint16_t>(vc.first + 1u == state_.depth ? 0 : vc.first + 1u);
    if (--vc.count == 0) clear_bit(state_.occupied.data(), id);
    return flit;
  }

  /// A head at the front of an idle virtual channel asks for a route from cycle t on.
  void show_head(Cycle t, unsigned id) {
    InputVcState& vc = state_.input[id];
    const Flit& head = state_.front(id);
    if (!opens(head.kind)) [[unlikely]]
      orphan(t, head);
    if (switching_ == Switching::store_and_forward && vc.count < messages_[head.message].length) return;
    vc.fsm = RouteFsm::needs_route;
    vc.stage = PipelineStage::routing;
    vc.ready = t + routing_cycles_;
    vc.flits_sent = 0;
    if (!state_.head_copy.empty()) state_.head_copy[id] = {head.message, head.word};
    set_bit(state_.pending.data(), id);
  }

  /// Gives the route FSM of a virtual channel back to IDLE; the next head, if one waits, asks from cycle t
  /// on.
  void to_idle(Cycle t, unsigned id) {
    InputVcState& vc = state_.input[id];
    vc.fsm = RouteFsm::idle;
    vc.stage = PipelineStage::none;
    vc.output = kNoVc;
    clear_bit(state_.pending.data(), id);
    clear_bit(state_.routed.data(), id);
    clear_bit(state_.space.data(), id);
    if (vc.count > 0) show_head(t, id);
  }

  void return_credit(Cycle t, unsigned id) {
    if (Channel* in = state_.port[port_].in) in->send_credit(t, id - port_ * state_.vcs);
  }

 private:
  [[gnu::noinline]] void overflow(Cycle, const Flit&) const;
  [[gnu::noinline]] void orphan(Cycle, const Flit&) const;

  RouterState& state_;
  const MessagePool& messages_;
  unsigned port_;
  unsigned routing_cycles_;
  Switching switching_;
  std::vector<std::unique_ptr<VirtualChannel>> vcs_;
};

}  // namespace flitmend
