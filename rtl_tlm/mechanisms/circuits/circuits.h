// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// The hardware of pipelined circuits [Gaughan96]. A head reserves a path, and control flits go back over it.
/// With pipelined circuit switching an acknowledgement of the head lets the data go, and the tail releases
/// the path; heads may go back at busy channels (Probes). With APCS data may follow at once, and the path is
/// held until an acknowledgement of the tail returns. Each virtual channel consists of three:
///
///   data            the input buffer, which the flits enter in order
///   corresponding   carries the head: the first flit in that buffer, whose slot is part of it
///   complementary   goes back to the previous router: acknowledgement, kill, a head that backtracks. Its
///                   register is a bit per kind of control flit (CircuitPort). A head that has backtracked
///                   has a separate slot in front of the input buffer
///
/// They share the wires: a control flit takes one slot of the wire in its direction, and one link latency.
/// It is sent when the wire is free. Until then no flit may win the switch for that wire, so that it becomes
/// free. Static functions on a router's registers; they exist only with
/// HardwareParameters::complementary_channels, and those of APCS only with Mechanism::circuits.
class Circuits {
 public:
  static CircuitMasks& masks(RouterState& state, unsigned word) {
    return state.row<rows::CircuitWords>()[word];
  }
  static const CircuitMasks& masks(const RouterState& state, unsigned word) {
    return state.row<rows::CircuitWords>()[word];
  }
  static CircuitPort& port(RouterState& state, unsigned p) { return state.row<rows::CircuitPorts>()[p]; }
  static const CircuitPort& port(const RouterState& state, unsigned p) {
    return state.row<rows::CircuitPorts>()[p];
  }
  /// Only with held paths, and for heads that go back (Probes).
  static Circuit& circuit(RouterState& state, unsigned input_id) {
    return state.row<rows::Circuits>()[input_id];
  }
  static const Circuit& circuit(const RouterState& state, unsigned input_id) {
    return state.row<rows::Circuits>()[input_id];
  }
  static bool head_returned(const RouterState& state, unsigned input_id) {
    return masks(state, input_id / kWordBits).returned & RouterState::bit_of(input_id);
  }
  /// Control flits that the router has sent.
  static std::uint64_t control_flits(const RouterState&);

  /// A head starts route computation: a circuit begins here, or its head has backtracked.
  static void begin(RouterState state, unsigned input_id) {
    const Message& message = state.layout().messages[state.front(input_id).message];
    Circuit& circuit = Circuits::circuit(state, input_id);
    if (!head_returned(state, input_id)) {
      circuit.tried = 0;
      circuit.met_busy = false;
      circuit.attempt = message.sub_message;
    }
    circuit.source = message.source;
    circuit.id = message.id;
    circuit.ahead = 0;
    withdraw_progress(state, input_id);
    masks(state, input_id / kWordBits).gated &= ~RouterState::bit_of(input_id);
  }
  /// The packet of the circuit through a virtual channel; kNoMessage if there is none, or if its descriptor
  /// has been released.
  static MessageIndex packet(const RouterState&, unsigned input_id);
  /// Whether the virtual channel holds the circuit of that packet.
  static bool carries(const RouterState& state, unsigned input_id, MessageIndex index) {
    return state.route_fsm(input_id) == RouteFsm::routed && packet(state, input_id) == index;
  }

  /// Keeps the candidates at ports that the head has not tried, and over whose link control flits could come
  /// back; returns their number. (A recovery unit closes ports where they could not.)
  static unsigned untried(RouterState& state, unsigned input_id, const CandidateList& list) {
    std::uint64_t closed = Circuits::circuit(state, input_id).tried;
    if (state.layout().heads_go_back && state.layout().recovery_units)
      closed |= ports_without_way_back(state);
    return closed == 0 ? list.size() : drop_ports(state, input_id, closed, list.size());
  }
  /// The input virtual channels among `ready` (a word of them) that may request the switch.
  static Word admit(const RouterState& state, unsigned word, Word ready) {
    const CircuitMasks& circuits = masks(state, word);
    return ready & ~(circuits.blocked | circuits.gated);
  }
  /// Whether the flit that leaves is a head that had backtracked: its credit has been returned before.
  static bool leaves_again(RouterState& state, unsigned input_id) {
    Word& returned = masks(state, input_id / kWordBits).returned;
    const Word bit = RouterState::bit_of(input_id);
    if (!(returned & bit)) return false;
    returned &= ~bit;
    return true;
  }
  /// APCS: a head (with scouting) or a tail has crossed the crossbar.
  static void crossed(RouterState&, unsigned input_id, unsigned output_id, const Flit&);
  /// Pipelined circuit switching: a head that data follows, or that may go back, has crossed the crossbar. It
  /// has reserved the path up to here, and all of it at its destination.
  static void reserved(RouterState& state, unsigned input_id, unsigned output_id) {
    if (state.port_of(output_id) == state.layout().local_port)
      tell_reserved(state, input_id);
    else
      masks(state, input_id / kWordBits).gated |= RouterState::bit_of(input_id);
  }

  /// An acknowledgement has arrived on the complementary channel of an output virtual channel.
  static void acknowledged(RouterState& state, Cycle t, unsigned output_id) {
    const unsigned owner = state.output(output_id).owner;
    if (owner == kNoVc) return;  // a fault has cut the circuit
    if (state.layout().holds_paths) {
      acknowledge(state, t, owner);
    } else {
      masks(state, owner / kWordBits).gated &= ~RouterState::bit_of(owner);
      tell_reserved(state, owner);
      // Of a message of one flit nothing follows: the acknowledgement releases its path.
      if (state.layout().heads_go_back && state.route(owner).length == 1) release(state, t, owner);
    }
  }
  /// Pipelined circuit switching: whether nothing may follow the head that has left an input virtual channel.
  static bool path_incomplete(const RouterState& state, unsigned input_id) {
    const RouterLayout& layout = state.layout();
    return layout.complementary && !layout.holds_paths &&
           (masks(state, input_id / kWordBits).gated & RouterState::bit_of(input_id)) != 0;
  }
  /// The circuit through an input virtual channel leaves this router.
  static void release(RouterState& state, Cycle t, unsigned input_id);
  /// Whether an acknowledgement is on the wires to an output virtual channel.
  static bool acknowledgement_underway(RouterState, unsigned output_id);
  /// Releases the circuit through an input virtual channel, and sends the acknowledgement on.
  static void acknowledge(RouterState&, Cycle t, unsigned input_id);
  /// Scouting: the head has left the next router, or (`reached`) it has reached its destination.
  static void advanced(RouterState&, unsigned output_id, bool reached);

  /// Sends control flits, at most one per wire, and keeps switch slots free for those still waiting.
  static void send(RouterState&, Cycle t);
  /// The circuit through an input virtual channel ends here: its complementary channel takes the control flit
  /// that says so.
  static void go_back(RouterState& state, VcMask CircuitPort::*kind, unsigned input_id) {
    withdraw_progress(state, input_id);
    put_in_complementary(state, kind, input_id);
  }
  /// The head has backtracked from the output, and is at the front again.
  static void take_back(RouterState, Cycle t, unsigned input_id);
  /// Tells the interface which of the paths that start at it are released. (interface_circuits.cpp)
  static void release_paths(RouterState&, Cycle t);
  /// A kill follows the flits that have left for an output virtual channel.
  static void kill_onward(RouterState&, Cycle t, unsigned output_id);
  /// Withdraws the control flits that wait in the complementary channel of an input virtual channel.
  static void forget(RouterState&, unsigned input_id);

 private:
  /// A control flit waits there.
  static void wait_at(RouterState& state, unsigned port) {
    masks(state, 0).waiting |= Word{1} << port;
    state.header().control_waits = true;
  }
  static void put_in_complementary(RouterState& state, VcMask CircuitPort::*kind, unsigned input_id) {
    const unsigned port = state.port_of(input_id);
    Circuits::port(state, port).*kind |= VcMask{1} << state.vc_of(input_id);
    wait_at(state, port);
  }
  /// Pipelined circuit switching: the acknowledgement goes on to the previous router. The source has none.
  static void tell_reserved(RouterState& state, unsigned input_id) {
    if (state.port_of(input_id) != state.layout().local_port)
      put_in_complementary(state, &CircuitPort::acknowledgements, input_id);
  }
  /// Scouting: tells the previous router how far the head is.
  static void tell_progress(RouterState&, unsigned input_id, bool reached);
  static void withdraw_progress(RouterState& state, unsigned input_id) {
    CircuitPort& port = Circuits::port(state, state.port_of(input_id));
    const VcMask others = ~(VcMask{1} << state.vc_of(input_id));
    port.advances &= others;
    port.arrivals &= others;
    Circuits::circuit(state, input_id).untold = 0;
  }
  static constexpr VcMask CircuitPort::*kComplementary[] = {&CircuitPort::acknowledgements,
                                                            &CircuitPort::kills, &CircuitPort::backtracks,
                                                            &CircuitPort::advances, &CircuitPort::arrivals};

  [[gnu::noinline, gnu::cold]] static unsigned drop_ports(RouterState&, unsigned input_id,
                                                          std::uint64_t closed, unsigned count);
  [[gnu::noinline, gnu::cold]] static std::uint64_t ports_without_way_back(const RouterState&);
  static bool wire_is_free(const RouterState&, Cycle t, unsigned port);
  static void send_one(RouterState&, Cycle t, unsigned port);
  static void block(RouterState&, unsigned port);
};

}  // namespace flitmend
