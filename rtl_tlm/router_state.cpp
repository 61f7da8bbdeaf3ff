// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router_state.h"

#include <algorithm>
#include <memory>
#include <type_traits>

#include "rtl_tlm/context.h"

namespace flitmend {

const char* to_string(RouteFsm s) {
  static constexpr const char* names[] = {"IDLE", "NEEDS_ROUTE", "ROUTED", "ABSORB"};
  return names[static_cast<unsigned>(s)];
}

const char* to_string(PipelineStage s) {
  static constexpr const char* names[] = {"NONE", "ROUTING", "VC_ALLOCATION", "SWITCH_ALLOCATION"};
  return names[static_cast<unsigned>(s)];
}

namespace {

template <class T>
void make(std::byte* row, std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  std::uninitialized_value_construct_n(reinterpret_cast<T*>(row), count);
}

}  // namespace

void RouterState::construct(Router& router, RouterId id) {
  const RouterLayout& l = *layout_;
  const std::size_t all_ids = l.ids;
  make<RouterHeader>(block_, 1);
  make<Word>(block_ + l.arrivals, std::size_t{2} * l.ring);
  make<Flit>(block_ + l.arrived_flits, std::size_t{l.ring} * l.ports);
  make<PortState>(block_ + l.port, l.ports);
  make<PortArbiter>(block_ + l.arbiter, l.ports);
  make<OutputVcState>(block_ + l.output, l.ids + 1);
  make<Word>(block_ + l.wanted, l.vc_words == 1 ? l.ports : 0);
  make<InputVcState>(block_ + l.input, l.ids);
  make<Flit>(block_ + l.input_flits, all_ids * l.input_buffer);
  for (unsigned i = 0; i < l.ids; ++i) {
    make<HeadRoute>(block_ + l.route + std::size_t{i} * l.route_bytes, 1);
    make<RouteCandidate>(block_ + l.route + std::size_t{i} * l.route_bytes + sizeof(HeadRoute),
                         l.max_candidates);
  }
  make<VcPointers>(block_ + l.vc_pointers, l.ids);
  make<VcMask>(block_ + l.port_vcs, std::size_t{l.ports} * (1 + l.classes));
  make<VcMasks>(block_ + l.masks, l.vc_words - 1);
  make<Word>(block_ + l.absorbing, l.vc_words);
  make<Word>(block_ + l.control, 2 * l.port_words * l.ring);
  make<Word>(block_ + l.arrived_vcs, l.vc_words == 1 ? 0 : 2 * l.ports * l.ring);
  make<PortExtras>(block_ + l.extras, l.ports);
  if (l.output_buffer > 0) {
    make<OutputBuffer>(block_ + l.queue, l.ids);
    make<Flit>(block_ + l.output_flits, all_ids * l.output_buffer);
    make<Cycle>(block_ + l.output_ready, all_ids * l.output_buffer);
  }
  if (l.has_head_copies) make<HeadCopy>(block_ + l.head_copy, l.ids);
  if (l.looks_at_outputs) make<std::uint64_t>(block_ + l.holder_state, l.ids);
  make<PortChannels>(block_ + l.channels, l.ports);
  header().router = &router;
  header().id = id;
  header().path = l.path;
  reset();
}

void RouterState::reset() {
  const RouterLayout& l = *layout_;
  for (unsigned word = 0; word < l.vc_words; ++word) {
    masks(word) = VcMasks{};
    absorbing()[word] = 0;
  }
  header().any_absorbing = false;
  for (unsigned id = 0; id < l.ids; ++id) {
    input(id) = InputVcState{};
    route(id) = HeadRoute{};
    output(id) = {static_cast<std::uint16_t>(l.input_buffer), kNoVc};
    if (l.output_buffer > 0) queue(id) = OutputBuffer{};
    if (l.has_head_copies) head_copy(id) = HeadCopy{};
  }
  for (const Arrival what : {Arrival::flits, Arrival::credits}) std::fill_n(arriving(what), l.ring, Word{0});
  for (const Arrival what : {Arrival::control_in, Arrival::control_out})
    std::fill_n(arriving_control(what), l.port_words * l.ring, Word{0});
  if (l.vc_words > 1) std::fill_n(at<Word>(l.arrived_vcs), 2 * l.ports * l.ring, Word{0});
  for (unsigned p = 0; p < l.ports; ++p) {
    free_vcs(p) = low_bits(l.vcs);
    extras(p) = PortExtras{};
    port(p).granted = PortState{}.granted;
    if (l.vc_words == 1) wanted()[p] = 0;
  }
}

VcPlace RouterState::vc_place(Arrival what, unsigned p) {
  const RouterLayout& l = *layout_;
  if (l.vc_words == 1) return {arriving(what), p * vcs()};
  const unsigned row = static_cast<unsigned>(what) * ports() + p;
  return {at<Word>(l.arrived_vcs) + std::size_t{row} * l.ring, 0};
}

}  // namespace flitmend
