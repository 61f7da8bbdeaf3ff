// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/circuits/circuits.h"

#include <algorithm>
#include <bit>

#include "rtl_tlm/mechanisms/circuits/probes.h"
#include "rtl_tlm/router/parts/input_controller.h"
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {

constinit const MechanismHooks rows::CircuitWords::kHooks{
    .control_flits = flitmend::Circuits::control_flits,
    // Acknowledgements arrive in masks, which count nothing. The other control flits are on lines that count.
    .add_pulses = [](const RouterState& state, ControlLinePulses& pulses) {
      std::uint64_t others = 0;
      for (unsigned port = 0; port < state.layout().network_ports(); ++port) {
        const PortChannels& channels = state.channels(port);
        if (channels.out) others += channels.out->pulses(ControlLine::forward_kill);
        if (channels.in)
          for (const ControlLine line : {ControlLine::backward_kill, ControlLine::backtrack,
                                         ControlLine::advance, ControlLine::reached})
            others += channels.in->pulses(line);
      }
      pulses[static_cast<unsigned>(ControlLine::acknowledgement)] +=
          flitmend::Circuits::control_flits(state) - others;
    }};

constinit const MechanismHooks rows::Circuits::kHooks{
    .before_routing = flitmend::Circuits::begin,
    .discarded = [](RouterState state, Cycle, unsigned id,
                    const Flit&) { return flitmend::Circuits::leaves_again(state, id); },
    .control_arrived =
        [](RouterState state, Cycle t, unsigned port) {
          if (state.layout().heads_go_back) Probes::arrived(state, t, port);
        },
    .packet_received =
        [](RouterState state, Cycle t, unsigned id, MessageIndex packet) {
          if (!flitmend::Circuits::carries(state, id, packet)) return false;  // a fault has cut the circuit
          flitmend::Circuits::acknowledge(state, t, id);
          return true;
        },
    // Also while the acknowledgement of a message of one flit is on its way.
    .recovering = [](const RouterState& state) -> bool {
      bool any = state.header().control_waits;
      if (state.layout().heads_go_back)
        for (unsigned w = 0; w < state.layout().vc_words; ++w)
          any |= flitmend::Circuits::masks(state, w).gated != 0;
      return any;
    }};

namespace {

/// Takes the lowest virtual channel out of a mask.
VcMask take_lowest(VcMask& mask) {
  const VcMask bit = mask & -mask;
  mask &= ~bit;
  return bit;
}

/// How many virtual channels a mask has. Most masks have none or one, so this is faster than std::popcount,
/// which is a call on the baseline of x86-64.
unsigned vcs_in(VcMask mask) {
  unsigned n = 0;
  for (; mask; mask &= mask - 1) ++n;
  return n;
}

}  // namespace

std::uint64_t Circuits::control_flits(const RouterState& state) {
  std::uint64_t sum = 0;
  for (unsigned p = 0; p < state.ports(); ++p) sum += port(state, p).control_flits;
  return sum;
}

MessageIndex Circuits::packet(const RouterState& state, unsigned id) {
  const MessageIndex index = state.head_copy(id).message;
  if (index == kNoMessage) return kNoMessage;
  const Message& message = state.layout().messages[index];
  const Circuit& circuit = Circuits::circuit(state, id);
  const bool same = message.original != kNoMessage && message.source == circuit.source &&
                    message.id == circuit.id && message.sub_message == circuit.attempt;
  return same ? index : kNoMessage;
}

std::uint64_t Circuits::ports_without_way_back(const RouterState& state) {
  std::uint64_t ports = 0;
  for (unsigned p = 0; p < state.layout().network_ports(); ++p)
    if (state.arbiter(p).input_faulty) ports |= std::uint64_t{1} << p;
  return ports;
}

unsigned Circuits::drop_ports(RouterState& state, unsigned id, std::uint64_t closed, unsigned count) {
  RouteCandidate* const candidates = state.candidates_of(id);
  unsigned kept = 0;
  for (unsigned i = 0; i < count; ++i)
    if (!(closed >> candidates[i].port & 1)) candidates[kept++] = candidates[i];
  return kept;
}

void Circuits::crossed(RouterState& state, unsigned id, unsigned output_id, const Flit& flit) {
  const RouterLayout& layout = state.layout();
  const bool local = state.port_of(output_id) == layout.local_port;
  if (is_tail(flit.kind) && local) layout.messages.fields(flit.message).exit = static_cast<std::uint16_t>(id);
  if (!is_head(flit.kind) || layout.scouting == 0) return;
  if (!local && !is_tail(flit.kind)) masks(state, id / kWordBits).gated |= RouterState::bit_of(id);
  tell_progress(state, id, local);
}

void Circuits::tell_progress(RouterState& state, unsigned id, bool reached) {
  if (state.port_of(id) == state.layout().local_port) return;
  Circuits::circuit(state, id).untold =
      static_cast<std::uint16_t>(Circuits::circuit(state, id).untold + !reached);
  put_in_complementary(state, reached ? &CircuitPort::arrivals : &CircuitPort::advances, id);
}

// The router before this one is one hop further from the head. It is told while it may still have to wait.
void Circuits::advanced(RouterState& state, unsigned output_id, bool reached) {
  const unsigned id = state.output(output_id).owner;
  if (id == kNoVc) return;
  const auto distance = static_cast<unsigned>(state.layout().scouting);
  Circuit& circuit = Circuits::circuit(state, id);
  const unsigned before = circuit.ahead;
  if (before < distance) ++circuit.ahead;
  if (reached || circuit.ahead >= distance) masks(state, id / kWordBits).gated &= ~RouterState::bit_of(id);
  if (before + 1 < distance) tell_progress(state, id, reached);
}

void Circuits::release(RouterState& state, Cycle t, unsigned id) {
  OutputController::release(state, state.input(id).output);
  InputController::to_idle(state, t, id);
}

void Circuits::acknowledge(RouterState& state, Cycle t, unsigned id) {
  release(state, t, id);
  go_back(state, &CircuitPort::acknowledgements, id);
}

bool Circuits::acknowledgement_underway(RouterState state, unsigned output_id) {
  const VcPlace place =
      state.vc_place<rows::CircuitArrivals>(ControlLine::acknowledgement, state.port_of(output_id));
  const Word bit = Word{1} << (place.shift + state.vc_of(output_id));
  return std::any_of(place.ring, place.ring + state.layout().ring, [&](Word w) { return (w & bit) != 0; });
}

void Circuits::take_back(RouterState state, Cycle t, unsigned id) {
  NetworkContext& context = state.layout().context;
  InputVcState& vc = state.input(id);
  const HeadCopy& copy = state.head_copy(id);
  Message& message = context.messages[copy.message];
  message.head_state = copy.word;
  message.hops = copy.hops;
  circuit(state, id).tried |= std::uint64_t{1} << state.output_port(id);
  OutputController::release(state, vc.output);
  InputController::drop_route(state, id);
  const auto slots = static_cast<unsigned>(state.layout().input_slots);
  vc.first = static_cast<std::uint16_t>((vc.first + slots - 1) % slots);
  ++vc.count;
  Flit& head = state.input_buffer_at(id, vc.first);
  head = {.message = copy.message,
          .number = 0,
          .kind = message.length == 1 ? FlitKind::head_tail : FlitKind::head};
  head.vc = static_cast<std::uint8_t>(state.vc_of(id));
  state.masks_of(id).occupied |= RouterState::bit_of(id);
  masks(state, id / kWordBits).returned |= RouterState::bit_of(id);
  ++context.flits_injected;
  if (state.layout().holds_paths) context.broken.put_back(copy.message);
  InputController::start_route_computation(state, t, id);
}

void Circuits::kill_onward(RouterState& state, Cycle t, unsigned output_id) {
  CircuitPort& port = Circuits::port(state, state.port_of(output_id));
  port.forward_kills |= VcMask{1} << state.vc_of(output_id);
  // Flits that have won the switch reach the wire that much later.
  port.forward_kills_from = t + (state.layout().output_buffer > 0 ? 0 : state.layout().switch_cycles);
  wait_at(state, state.port_of(output_id));
}

void Circuits::forget(RouterState& state, unsigned id) {
  CircuitPort& port = Circuits::port(state, state.port_of(id));
  const VcMask others = ~(VcMask{1} << state.vc_of(id));
  for (VcMask CircuitPort::*kind : kComplementary) port.*kind &= others;
}

/// Whether no flit is on the outgoing wire of a port in cycle t. With output buffers a control flit takes the
/// slot of the link's arbiter; without switch traversal it takes that of the switch allocator.
bool Circuits::wire_is_free(const RouterState& state, Cycle t, unsigned port_number) {
  const RouterLayout& layout = state.layout();
  if (layout.output_buffer > 0 || layout.switch_cycles == 0) return true;
  const PortState& port = state.port(port_number);
  const Cycle arrival = t + port.out_delay - layout.switch_cycles;
  const Word arriving = port.out_vcs[arrival & (layout.ring - 1)];
  const unsigned first = (port_number * state.vcs() + port.out_turn) & (kWordBits - 1);
  return (arriving >> first & low_bits(state.vcs())) == 0;
}

void Circuits::send_one(RouterState& state, Cycle t, unsigned number) {
  CircuitPort& port = Circuits::port(state, number);
  const PortChannels& channels = state.channels(number);
  const Cycle arrival = t + channels.out->latency();
  const auto back = [&](ControlLine line, VcMask& mask) {
    channels.in->raise_at(line, arrival, take_lowest(mask));
  };
  if (port.kills) {
    back(ControlLine::backward_kill, port.kills);
  } else if (port.forward_kills && t >= port.forward_kills_from) {
    channels.out->raise_at(ControlLine::forward_kill, arrival, take_lowest(port.forward_kills));
  } else if (port.backtracks) {
    const VcMask vc = take_lowest(port.backtracks);
    channels.in->raise_at(ControlLine::backtrack, arrival, vc);
    if (port.dead_ends & vc) channels.in->raise_at(ControlLine::no_route, arrival, vc);
    port.dead_ends &= ~vc;
  } else if (port.acknowledgements) {
    const unsigned vc = static_cast<unsigned>(std::countr_zero(take_lowest(port.acknowledgements)));
    const MaskWires& wires = state.mask_wires(number);
    wires.announce(ControlLine::acknowledgement, static_cast<unsigned>(arrival & (state.layout().ring - 1)),
                   number * state.vcs() + vc);
  } else if (port.advances) {
    const VcMask vc = port.advances & -port.advances;
    std::uint16_t& untold =
        Circuits::circuit(state, number * state.vcs() + static_cast<unsigned>(std::countr_zero(vc))).untold;
    if (--untold == 0) port.advances &= ~vc;
    channels.in->raise_at(ControlLine::advance, arrival, vc);
  } else {
    back(ControlLine::reached, port.arrivals);
  }
  ++port.control_flits;
  port.sent_at = t;
  if (port.claims > 0) --port.claims;
}

void Circuits::block(RouterState& state, unsigned port) {
  if (state.layout().vc_words == 1) {
    masks(state, 0).blocked |= state.wanted()[port];
    return;
  }
  for (unsigned id = 0; id < state.ids(); ++id)
    if (state.input(id).output != kNoVc && state.output_port(id) == port)
      masks(state, id / kWordBits).blocked |= RouterState::bit_of(id);
}

void Circuits::send(RouterState& state, Cycle t) {
  const RouterLayout& layout = state.layout();
  for (unsigned w = 0; w < layout.vc_words; ++w) masks(state, w).blocked = 0;
  Word& ports = masks(state, 0).waiting;
  bool again = false;
  for (Word rest = ports; rest; rest &= rest - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(rest));
    CircuitPort& port = Circuits::port(state, number);
    if (number == layout.local_port || (port.backward() | port.forward_kills) == 0) {
      ports &= ~(rest & -rest);
      continue;
    }
    const bool ready = port.backward() != 0 || t >= port.forward_kills_from;
    const bool sends = ready && wire_is_free(state, t, number);
    if (sends) send_one(state, t, number);
    again |= (port.backward() | port.forward_kills) != 0;
    if (layout.output_buffer > 0) continue;
    again = true;  // in the next cycle nothing is blocked any more
    const unsigned waiting = vcs_in(port.acknowledgements) + vcs_in(port.kills) + vcs_in(port.backtracks) +
                             vcs_in(port.advances) + vcs_in(port.arrivals) + vcs_in(port.forward_kills);
    if (layout.switch_cycles == 0 ? sends : port.claims < waiting) {
      block(state, number);
      port.claims += layout.switch_cycles > 0;
    }
    if (waiting == 0) port.claims = 0;
  }
  state.header().control_waits = again;
}

}  // namespace flitmend
