// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

template <>
std::span<const EnumWord> enum_words<RouteFsm>() {
  static constexpr EnumWord words[] = {
      {"IDLE", "IDL", "no message is here, and no output virtual channel is held"},
      {"NEEDS_ROUTE", "REQ", "a head is at the front and has no output virtual channel yet"},
      {"ROUTED", "ACT", "an output virtual channel is held until the tail has crossed the crossbar"},
      {"ABSORB", "ABS", "flits are discarded, up to and including the next tail"},
      {"BACKUP", "BAK", "copies of flits that a fault has cut off are made ready to be sent again"},
      {"LANE", "DBL", "the flits leave through the lane of deadlock recovery, up to and including the tail"}};
  return words;
}

template <>
std::span<const EnumWord> enum_words<PipelineStage>() {
  static constexpr EnumWord words[] = {
      {"NONE", "-", "no head is at the front, or its virtual channel is in ABSORB"},
      {"ROUTING", "RC", "route computation"},
      {"VC_ALLOCATION", "VA", "the head requests an output virtual channel"},
      {"SWITCH_ALLOCATION", "SA", "the flits request the crossbar, one by one"}};
  return words;
}

const char* to_string(RouteFsm s) {
  return enum_words<RouteFsm>()[static_cast<unsigned>(s)].word.data();
}

const char* to_string(PipelineStage s) {
  return enum_words<PipelineStage>()[static_cast<unsigned>(s)].word.data();
}

namespace {

/// Calls f.template operator()<R>(address, index) for every element of every row R.
template <class F>
void for_each_element(const RouterLayout& layout, std::byte* block, F&& f) {
  for_each_row([&]<class R>() {
    std::byte* element = block + layout.offset<R>();
    for (std::size_t i = 0, count = R::count(layout); i < count; ++i, element += R::stride(layout))
      f.template operator()<R>(element, i);
  });
}

}  // namespace

void RouterState::construct(Router& router, RouterId id) {
  for_each_element(*layout_, block_,
                   [&]<class R>(std::byte* element, std::size_t) { R::construct(element, *layout_); });
  header().router = &router;
  header().id = id;
  header().path = layout_->path;
  reset();
}

void RouterState::reset() {
  for_each_element(*layout_, block_, [&]<class R>(std::byte* element, std::size_t index) {
    R::reset(reinterpret_cast<typename R::Element&>(*element), index, *layout_);
  });
}

VcPlace RouterState::vc_place(Word* rings, unsigned p) const {
  const unsigned word = p * vcs() / static_cast<unsigned>(layout_->ids_per_arrival_word);
  return {rings + word * layout_->ring, p * vcs() - first_arrival(word)};
}

MaskRings RouterState::mask_rings(unsigned p) {
  MaskRings rings;
  for_each_row([&]<class R>() {
    if constexpr (requires { R::kLines; })
      if (layout_->has<R>())
        for (const ControlLine line : R::kLines) rings[line] = vc_place<R>(line, p).ring;
  });
  return rings;
}

void RouterState::prefetch_cycle(Cycle t) const {
  asm volatile("");  // GCC removes calls of functions that do nothing but prefetch
  RouterState state = *this;
  const RouterLayout& l = *layout_;
  const auto slot = [&](Cycle at) { return static_cast<unsigned>(at) & (l.ring - 1); };
  const unsigned now = slot(t);
  const Cycle link = t - l.switch_cycles;  // a flit that is on the link now has crossed the switch before
  for (unsigned w = 0; w < l.arrival_words; ++w)
    for (Word rest = state.arriving(Arrival::flits, w)[now]; rest; rest &= rest - 1) {
      const unsigned id = state.first_arrival(w) + static_cast<unsigned>(std::countr_zero(rest));
      const InputVcState vc = state.input(id);
      unsigned last = vc.first + vc.count;
      if (last >= l.input_slots) last -= static_cast<unsigned>(l.input_slots);
      __builtin_prefetch(&state.arrived_flits(state.port_of(id))[now]);
      __builtin_prefetch(&state.input_buffer_at(id, last), 1);
      const VcMasks& masks = state.masks(id / kWordBits);
      if (!((masks.pending | masks.routed) & bit_of(id))) __builtin_prefetch(&state.route(id), 1);  // a head
    }
  for (unsigned w = 0; w < l.port_words; ++w)
    for (Word rest = state.buffered_ports()[w]; rest; rest &= rest - 1) {
      const unsigned p = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const PortState& port = state.port(p);
      for (VcMask vcs = state.link_arbiter(p).buffered_vcs; vcs; vcs &= vcs - 1) {
        const unsigned id = p * static_cast<unsigned>(l.vcs) + static_cast<unsigned>(std::countr_zero(vcs));
        __builtin_prefetch(&state.output_slot(id, state.output_buffer(id).first));
      }
      __builtin_prefetch(port.out_vcs + slot(link + port.out_delay), 1);
      __builtin_prefetch(port.out_registers + slot(link + port.out_delay), 1);
    }
  for (unsigned w = 0; w < l.vc_words; ++w) {
    for (Word rest = state.masks(w).pending; rest; rest &= rest - 1) {
      const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      __builtin_prefetch(&state.route(id), 1);
      __builtin_prefetch(&state.vc_pointers()[id], 1);
    }
    for (Word rest = state.masks(w).occupied; rest; rest &= rest - 1) {
      const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const InputVcState vc = state.input(id);
      __builtin_prefetch(&state.input_buffer_at(id, vc.first));
      if (vc.output == kNoVc || state.output_port(id) == l.local_port) continue;
      const PortState& port = state.port(state.port_of(id));
      if (port.in_vcs) __builtin_prefetch(port.in_vcs + slot(t + port.in_delay), 1);
      const OutputBufferState buffer = state.output_buffer(vc.output);
      unsigned last = buffer.first + buffer.count;
      if (last >= l.output_buffer) last -= static_cast<unsigned>(l.output_buffer);
      __builtin_prefetch(&state.output_slot(vc.output, last), 1);
    }
  }
}

unsigned RouterState::mechanism_flits() const {
  unsigned flits = 0;
  for_each_row([&]<class R>() {
    if constexpr (requires(const typename R::Element& element) { R::flits(element); })
      for (std::size_t i = 0; i < R::count(*layout_); ++i) flits += R::flits(row<R>()[i]);
  });
  return flits;
}

}  // namespace flitmend
