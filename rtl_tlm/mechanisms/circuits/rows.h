// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

/// Control flits of circuits that wait for a slot on the outgoing wire of a port. Those to the previous
/// router are in the complementary channel of an input virtual channel.
struct CircuitPort {
  VcMask acknowledgements = 0;      ///< by input virtual channel: to the previous router
  VcMask kills = 0;                 ///< likewise
  VcMask backtracks = 0;            ///< likewise: the head itself
  VcMask advances = 0;              ///< likewise: the head has left (scouting)
  VcMask arrivals = 0;              ///< likewise: the head has reached its destination (scouting)
  VcMask dead_ends = 0;             ///< with backtracks: the head has met no channel that was busy
  VcMask forward_kills = 0;         ///< by output virtual channel: to the next router
  Cycle forward_kills_from = 0;     ///< they leave in this cycle or later, after the flits before them
  Cycle old_until = 0;              ///< until this cycle, flits sent before a fault of the link may arrive
  bool resync_waits = false;        ///< RESYNC is due at old_until
  Cycle sent_at = kNever;           ///< when the last control flit left
  std::uint64_t claims = 0;         ///< switch slots kept empty for waiting control flits, and not used yet
  std::uint64_t control_flits = 0;  ///< control flits sent since the start

  VcMask backward() const { return acknowledgements | kills | backtracks | advances | arrivals; }
};

/// Masks of up to 64 input virtual channels that hold or held circuits.
struct CircuitMasks {
  Word blocked = 0;   ///< their output port gives this switch slot to a control flit
  Word returned = 0;  ///< the head has backtracked, and waits at the front to leave again
  Word gated = 0;     ///< scouting, and pipelined circuit switching: data may not follow the head yet
  /// Ports (of the first word's masks only: there are at most 64) with control flits that wait.
  Word waiting = 0;
};

/// What an input virtual channel stores about the circuit that goes through it. Source, id and attempt name
/// the packet: its descriptor may be released before the circuit is.
struct Circuit {
  std::uint64_t tried = 0;  ///< history: ports from which its head has backtracked to this router
  NodeId source = 0;
  std::uint32_t id = 0;
  std::uint16_t attempt = 0;
  std::uint16_t ahead = 0;   ///< scouting: hops from here that the head is known to have taken
  std::uint16_t untold = 0;  ///< hops, its own included, of which the previous router has not been told
  /// Of a head that may go back: here or beyond, it has met a healthy port whose channels were busy.
  bool met_busy = false;
};

namespace rows {

/// This row and those below exist only with complementary channels.
struct CircuitArrivals : LineArrivals<ControlLine::acknowledgement> {
  static std::size_t count(const RouterShape& s) { return s.complementary ? all(s) : 0; }
};
/// By word of input ids.
struct CircuitWords : Row<CircuitMasks, Heat::hot> {
  static const MechanismHooks kHooks;
  static std::size_t count(const RouterShape& s) { return s.complementary ? s.vc_words : 0; }
};
/// By port.
struct CircuitPorts : Row<CircuitPort, Heat::hot> {
  static std::size_t count(const RouterShape& s) { return s.complementary ? s.ports : 0; }
  static void reset(CircuitPort& port, std::size_t, const RouterShape&) {
    const std::uint64_t sent = port.control_flits;
    port = {};
    port.control_flits = sent;
  }
};

/// By input id; only if paths are held until they are acknowledged, or heads go back at busy channels.
struct Circuits : Row<Circuit, Heat::cold> {
  static const MechanismHooks kHooks;
  static std::size_t count(const RouterShape& s) { return s.holds_paths || s.heads_go_back ? s.ids : 0; }
  /// A head that has backtracked is in front of the buffer, not in it.
  template <class State>
  static int room(const State& state, unsigned id) {
    return state.template row<CircuitWords>()[id / kWordBits].returned >> (id % kWordBits) & 1;
  }
};

}  // namespace rows
}  // namespace flitmend
