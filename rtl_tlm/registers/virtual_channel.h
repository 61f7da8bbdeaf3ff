// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// An input virtual channel: an input buffer, the route FSM with its pipeline stage, the credits
/// of the output virtual channel that it holds, the head-copy register and the flit counter. Its registers
/// stand in the router's contiguous state; this is what tests and users read them by. Its name in waves is
/// that of its input controller and "vc" with its number.
class VirtualChannel {
 public:
  VirtualChannel(const RouterState& state, unsigned id) : state_(state), id_(id) {}

  unsigned id() const { return id_; }
  RouteFsm route_fsm() const { return state_.route_fsm(id_); }
  PipelineStage stage() const { return state_.stage(id_); }
  unsigned input_buffer() const { return registers().count; }       ///< flits that wait
  unsigned retained() const { return state_.route(id_).retained; }  ///< copies kept
  bool has_head_copy() const { return state_.layout().has_head_copies; }
  const HeadCopy& head_copy() const { return state_.head_copy(id_); }
  std::uint32_t flit_counter() const { return registers().flits_sent; }
  /// Output virtual channel that it holds, kNoVc for none.
  unsigned output() const { return registers().output; }
  /// Free flits in the buffer that it sends to; the size of an input buffer while it holds none.
  unsigned credits() const {
    return output() == kNoVc ? state_.layout().input_buffer : state_.output(output()).credits;
  }
  /// The flit at the front; meaningful while input_buffer() > 0.
  const Flit& front() const { return state_.front(id_); }
  /// The flit at that place behind the front.
  const Flit& flit(unsigned place) const {
    return state_.input_buffer_at(id_, (registers().first + place) % state_.layout().input_buffer);
  }
  const InputVcState& registers() const { return state_.input(id_); }

 private:
  const RouterState& state_;
  unsigned id_;
};

}  // namespace flitmend
