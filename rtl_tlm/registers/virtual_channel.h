// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// An input virtual channel: its input buffer, the route FSM with its pipeline stage, the flit counter and
/// the head-copy register. A handle to its registers in the router's block.
class VirtualChannel {
 public:
  VirtualChannel(const RouterState& state, unsigned id) : state_(&state), id_(id) {}

  const RouterState& state() const { return *state_; }
  const RouterLayout& layout() const { return state_->layout(); }
  unsigned id() const { return id_; }
  const InputVcState& registers() const { return state_->input(id_); }
  const HeadRoute& route() const { return state_->route(id_); }

  [[gnu::always_inline]] RouteFsm route_fsm() const { return state_->route_fsm(id_); }
  /// Stage of the head at the front; none if no head needs a route or has one. A head that was granted its
  /// output virtual channel in this cycle is in VC allocation until the cycle ends.
  [[gnu::always_inline]] PipelineStage stage() const {
    const RouteFsm fsm = route_fsm();
    if (fsm != RouteFsm::needs_route && fsm != RouteFsm::routed) return PipelineStage::none;
    const PipelineStage stage = route().stage;
    return stage == PipelineStage::switch_allocation && cycles_left() > 0 ? PipelineStage::vc_allocation
                                                                          : stage;
  }
  /// Cycles until the current stage may finish.
  Cycle cycles_left() const {
    const Cycle next = layout().context.next_cycle;
    if (route().ready == kNever) return 0;  // no stage is going on
    return route().ready < next ? 0 : route().ready - next + 1;
  }
  /// Flits in the input buffer.
  unsigned input_buffer() const { return registers().count; }
  /// Flits of the current message that have crossed the crossbar.
  std::uint32_t flit_counter() const { return registers().flits_sent; }
  /// Output virtual channel that it holds.
  std::optional<unsigned> output_vc() const {
    return registers().output == kNoVc ? std::nullopt : std::optional<unsigned>(registers().output);
  }
  /// Credits of that output virtual channel: free slots of the next buffer.
  std::optional<unsigned> credits() const {
    const auto output = output_vc();
    return output ? std::optional<unsigned>(state_->output(*output).credits) : std::nullopt;
  }
  /// Output port of the candidate that the head requests or has been granted.
  [[gnu::always_inline]] std::optional<unsigned> output_port() const {
    const RouteFsm fsm = route_fsm();
    if (fsm != RouteFsm::needs_route && fsm != RouteFsm::routed) return std::nullopt;
    if (route().stage == PipelineStage::routing || route().chosen >= route().candidates) return std::nullopt;
    return state_->candidates_of(id_)[route().chosen].port;
  }
  const HeadCopy& head_copy() const { return state_->head_copy(id_); }
  /// Pending actions of the recovery unit: append a broken tail, raise RESYNC.
  bool tail_due() const { return state_->extras(state_->port_of(id_)).tail_due >> state_->vc_of(id_) & 1; }
  bool resync_due() const {
    return state_->extras(state_->port_of(id_)).resync_due >> state_->vc_of(id_) & 1;
  }

  /// Its tail has left, and the path is held until an acknowledgement returns (only with held
  /// paths).
  bool path_held() const { return route_fsm() == RouteFsm::routed && message() == kNoMessage; }

  /// The flit at the front; meaningful while input_buffer() > 0.
  const Flit& front() const { return state_->front(id_); }
  /// The message whose flits are here, or which holds an output while its flits are elsewhere; kNoMessage if
  /// none.
  [[gnu::always_inline]] MessageIndex message() const {
    if (const MessageIndex held = state_->held_message(id_); held != kNoMessage) return held;
    if (input_buffer() > 0) return front().message;
    if (route_fsm() == RouteFsm::idle) return kNoMessage;
    // The last flit that left is still in its slot.
    const unsigned first = registers().first;
    const Flit& last =
        state_->input_buffer_at(id_, (first == 0 ? static_cast<unsigned>(layout().input_slots) : first) - 1);
    return is_tail(last.kind) ? kNoMessage : last.message;
  }

 private:
  const RouterState* state_;
  unsigned id_;
};

/// An output virtual channel: its owner, the credits of the next buffer, its output buffer. A handle to its
/// registers in the router's block. The layout has them for every port, but they are used only where
/// RouterShape::allocates_outputs.
class OutputVirtualChannel {
 public:
  OutputVirtualChannel(const RouterState& state, unsigned id) : state_(&state), id_(id) {}

  const RouterState& state() const { return *state_; }
  const RouterLayout& layout() const { return state_->layout(); }
  unsigned id() const { return id_; }

  /// Input virtual channel that holds it.
  std::optional<unsigned> owner() const {
    const unsigned owner = state_->output(id_).owner;
    return owner == kNoVc ? std::nullopt : std::optional<unsigned>(owner);
  }
  unsigned credits() const { return state_->output(id_).credits; }
  /// Whether it can be allocated to a new message.
  bool free() const { return state_->free_vcs(state_->port_of(id_)) >> state_->vc_of(id_) & 1; }
  /// Whether a recovery unit keeps it unallocated.
  bool held() const { return state_->extras(state_->port_of(id_)).held_vcs >> state_->vc_of(id_) & 1; }
  /// Flits in the output buffer or on their way to it.
  unsigned output_buffer() const { return state_->output_flits(id_); }

 private:
  const RouterState* state_;
  unsigned id_;
};

/// A router as a whole: a handle to its registers.
class RouterView {
 public:
  explicit RouterView(const RouterState& state) : state_(&state) {}

  const RouterState& state() const { return *state_; }
  const RouterLayout& layout() const { return state_->layout(); }
  bool down() const { return state_->header().down; }

 private:
  const RouterState* state_;
};

/// A port of a router: a handle to its registers in the router's block.
class PortView {
 public:
  PortView(const RouterState& state, unsigned port) : state_(&state), port_(port) {}

  const RouterState& state() const { return *state_; }
  const RouterLayout& layout() const { return state_->layout(); }
  unsigned port() const { return port_; }

  bool faulty() const { return state_->arbiter(port_).faulty; }
  bool input_faulty() const { return state_->arbiter(port_).input_faulty; }
  const SwitchPointers& switch_pointers() const { return state_->arbiter(port_).switch_pointers; }
  /// Input virtual channel whose flit was granted this output in the last cycle evaluated.
  std::optional<unsigned> granted_input() const {
    const PortState& port = state_->port(port_);
    return layout().context.is_last_cycle(port.granted_at()) ? std::optional<unsigned>(port.granted_input())
                                                             : std::nullopt;
  }

 private:
  const RouterState* state_;
  unsigned port_;
};

}  // namespace flitmend
