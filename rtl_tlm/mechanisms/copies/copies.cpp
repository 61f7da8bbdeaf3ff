// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/copies/copies.h"

#include <bit>
#include <memory>
#include <utility>

#include "base/text.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/mechanisms/copies/injector_copies.h"
#include "rtl_tlm/router/parts/input_controller.h"
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {

constinit const MechanismHooks rows::Copies::kHooks{
    .discarded =
        [](RouterState state, Cycle t, unsigned id, const Flit& flit) {
          flitmend::Copies::discarded(state, t, id, flit);
          return true;
        },
    .alter =
        [](RouterState state, unsigned id, Flit& flit) {
          if (flitmend::Copies::renaming(state, id)) flitmend::Copies::rename(state, id, flit);
        },
    .lost = [](RouterState state, unsigned id) { flitmend::Copies::end_renaming(state, id); },
    .restored = [](RouterState state, unsigned output_id) { flitmend::Copies::forget(state, output_id); },
    .touches_shared =
        [](const RouterState& state) {
          Word renaming = 0;
          for (unsigned w = 0; w < state.layout().vc_words; ++w)
            renaming |= flitmend::Copies::masks_of(state, w).renaming;
          return renaming != 0;
        },
    .add_pulses =
        [](const RouterState& state, ControlLinePulses& pulses) {
          for (unsigned w = 0; w < state.layout().vc_words; ++w)
            pulses[static_cast<unsigned>(ControlLine::copied)] +=
                flitmend::Copies::masks_of(state, w).signals;
        },
    .for_injector = [](const RouterState& router, InjectorGates&) -> std::unique_ptr<InjectorMechanism> {
      return std::make_unique<InjectorCopies>(router.layout());
    }};

[[gnu::always_inline]] inline void Copies::free_oldest(RouterState& state, Cycle t, unsigned id) {
  CopyCounts& counts = counts_of(state, id);
  if (counts.told == 0) [[unlikely]]
    nothing_kept(state, t, id);
  --counts.kept;
  --counts.told;
  CopyMasks& masks = masks_of(state, id / kWordBits);
  const Word bit = RouterState::bit_of(id);
  if (masks.own_head & bit) [[unlikely]]
    masks.own_head &= ~bit;
  else
    InputController::return_credit(state, t, id);
  if ((masks.closing & bit) != 0 && counts.kept == 0) close(state, t, id);
}

// The next head may leave in the next cycle, so that two credits do not meet on the wire.
void Copies::close(RouterState& state, Cycle t, unsigned id) {
  masks_of(state, id / kWordBits).closing &= ~RouterState::bit_of(id);
  OutputController::release(state, state.input(id).output);
  InputController::to_idle(state, t + 1, id);
}

void Copies::left_buffer(RouterState& state, Cycle t, unsigned output_id) {
  const unsigned port = state.port_of(output_id), id = state.output(output_id).owner;
  left(state, t, id, state.port(port).out_delay - static_cast<unsigned>(state.layout().switch_cycles));
  if (port == state.layout().local_port) free_oldest(state, t, id);
}

void Copies::nothing_kept(const RouterState& state, Cycle t, unsigned id) {
  SC_REPORT_FATAL("flitmend/protocol",
                  formatted("%1%: input port %2%, virtual channel %3%: cycle %4%: COPIED without a copy",
                            state.name(), state.port_of(id), state.vc_of(id), t)
                      .c_str());
}

void Copies::take_copied(RouterState& state, Cycle t, unsigned slot) {
  const auto take = [&](Word mask, unsigned first) {
    std::uint64_t signals = 0;
    for (Word rest = mask; rest; rest &= rest - 1, ++signals) {
      const unsigned owner = state.output(first + static_cast<unsigned>(std::countr_zero(rest))).owner;
      if (owner != kNoVc) free_oldest(state, t, owner);
    }
    masks_of(state, first / kWordBits).signals += signals;
  };
  for (unsigned w = 0; w < state.layout().arrival_words; ++w)
    take(std::exchange(state.arriving<rows::CopyArrivals>(ControlLine::copied, w)[slot], 0),
         state.first_arrival(w));
}

void Copies::rename(RouterState& state, unsigned id, Flit& flit) {
  const Rename& rename = rename_of(state, id);
  if (flit.message != rename.from) return;
  BrokenMessages& broken = state.layout().context.broken;
  broken.discard(rename.from);
  flit.message = rename.to;
  flit.number = static_cast<std::uint16_t>(state.last_flit(id).number + 1);
  if (!is_tail(flit.kind)) return;
  if (ends_piece(flit.kind))
    broken.discard(rename.to, state.layout().messages[rename.to].length - flit.number - 1u);
  masks_of(state, id / kWordBits).renaming &= ~RouterState::bit_of(id);
}

void Copies::end_renaming(RouterState& state, unsigned id) {
  if (!renaming(state, id)) return;
  const MessageIndex rest = rename_of(state, id).to;
  state.layout().context.broken.discard(
      rest, state.layout().messages[rest].length - state.last_flit(id).number - 1u);
  masks_of(state, id / kWordBits).renaming &= ~RouterState::bit_of(id);
}

void Copies::forget(RouterState& state, unsigned output_id) {
  const VcPlace place = state.vc_place<rows::CopyArrivals>(ControlLine::copied, state.port_of(output_id));
  const Word bit = Word{1} << (place.shift + state.vc_of(output_id));
  for (unsigned slot = 0; slot < state.layout().ring; ++slot) place.ring[slot] &= ~bit;
}

}  // namespace flitmend
