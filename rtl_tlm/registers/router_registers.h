// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/bits.h"
#include "rtl_tlm/interfaces/mechanism.h"
#include "rtl_tlm/interfaces/routing_function.h"
#include "rtl_tlm/signals/channel.h"
#include "rtl_tlm/signals/cut_message.h"
#include "rtl_tlm/signals/flit.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

class NetworkInterface;
class Router;

/// States of a virtual channel's route FSM [SBRP Fig. 44]; absorb is used by recovery units.
enum class RouteFsm : std::uint8_t {
  idle,
  needs_route,  ///< a head is at the front and has no output virtual channel yet
  routed,       ///< an output virtual channel is reserved until the tail has crossed
  absorb,       ///< takes and discards flits up to the next tail
  backup,       ///< prepares to send the copies again, after a fault
  lane,         ///< the flits leave through the lane of deadlock recovery, up to the tail
};
template <>
std::span<const EnumWord> enum_words<RouteFsm>();
const char* to_string(RouteFsm);

/// The pipeline stage of the head at the front of a virtual channel.
enum class PipelineStage : std::uint8_t { none, routing, vc_allocation, switch_allocation };
template <>
std::span<const EnumWord> enum_words<PipelineStage>();
const char* to_string(PipelineStage);

inline constexpr std::uint16_t kNoVc = 0xffff;  ///< names no input or output virtual channel of a router

/// Registers of an input virtual channel that every flit changes. Indexed by id = port · virtual channels +
/// vc.
struct InputVcState {
  std::uint16_t first = 0;       ///< slot of the front flit in the input buffer
  std::uint16_t count = 0;       ///< flits waiting to be sent
  std::uint16_t output = kNoVc;  ///< output virtual channel while routed
  std::uint16_t flits_sent = 0;  ///< flit counter: flits of the current message that crossed the crossbar
};
static_assert(sizeof(InputVcState) == 8);

/// What the route FSM of an input virtual channel stores about the head at the front. The FSM's state itself
/// follows from the masks (RouterState::route_fsm).
struct HeadRoute {
  Cycle ready = 0;                            ///< cycle from which the current stage may finish
  PipelineStage stage = PipelineStage::none;  ///< for a head that needs a route or has one
  bool flushing = false;        ///< in ABSORB: until the buffer is empty, rather than until a tail
  std::uint8_t candidates = 0;  ///< number found by the last route computation
  std::uint8_t chosen = 0;      ///< index of the one requested or granted
  std::uint16_t waited = 0;     ///< cycles for which the head has waited at a fault, or for any output
  std::uint16_t length = 0;     ///< of its message in flits, as the head says; set with the candidates
};
static_assert(sizeof(HeadRoute) == 16);

/// Registers of an output virtual channel: credits and owner.
struct OutputVcState {
  std::uint16_t credits = 0;    ///< free flits in the next buffer
  std::uint16_t owner = kNoVc;  ///< input virtual channel that holds it
};

/// Registers of an output buffer.
struct OutputBufferState {
  std::uint16_t first = 0;  ///< slot of the front flit
  std::uint16_t count = 0;  ///< flits in it or on the way to it
};

/// A slot of an output buffer.
struct OutputSlot {
  Flit flit;
  Cycle ready = 0;  ///< from which the flit may leave
};

/// Registers of a port that every flit and credit uses, in one cache line: what is needed to send a flit on
/// the outgoing channel and a credit on the incoming one (copied from Channel::flit_wires and credit_wires).
/// The bit of a virtual channel at the far end is that of its id here, rotated by a constant.
struct alignas(64) PortState {
  Word* out_vcs = nullptr;        ///< flits: ring of masks
  Word* out_wake = nullptr;       ///< ring of wake-up masks
  Flit* out_registers = nullptr;  ///< ring of flits
  Word* in_vcs = nullptr;         ///< credits: the same; null if nobody takes them
  Word* in_wake = nullptr;
  std::uint64_t granted = ~0ull;  ///< last switch grant of this output: cycle · 2^16 + input virtual channel
  std::uint64_t flits_sent = 0;   ///< onto the link since the start
  std::uint8_t out_turn = 0;      ///< added to an output id, modulo 64: its bit in out_vcs
  std::uint8_t out_wake_bit = 0;
  std::uint8_t in_turn = 0;  ///< the same for input ids in in_vcs
  std::uint8_t in_wake_bit = 0;
  std::uint16_t out_delay = 0;  ///< cycles from the switch grant to the arrival of the flit
  std::uint16_t in_delay = 0;   ///< cycles that a credit takes

  void announce_flit(unsigned slot, unsigned output_id) const {
    out_vcs[slot] |= Word{1} << ((output_id + out_turn) & (kWordBits - 1));
    out_wake[slot] |= Word{1} << out_wake_bit;
  }
  void announce_credit(unsigned slot, unsigned input_id) const {
    in_vcs[slot] |= Word{1} << ((input_id + in_turn) & (kWordBits - 1));
    in_wake[slot] |= Word{1} << in_wake_bit;
  }
  void grant(Cycle t, unsigned input_id) { granted = t << 16 | input_id; }
  Cycle granted_at() const { return granted == ~0ull ? kNever : granted >> 16; }
  unsigned granted_input() const { return granted & 0xffff; }
};
static_assert(sizeof(PortState) == 64);

/// Round-robin pointers of the switch allocator at a port. Each points to the last one served, and the search
/// starts after it. At power-up the search starts at the first port and the first virtual channel.
struct SwitchPointers {
  std::uint16_t last_input = 0;   ///< as an output: the input granted last
  std::uint16_t last_output = 0;  ///< as an input: the output accepted last
  std::uint16_t last_vc = 0;      ///< as an input: the id that sent last; with a crossbar input per virtual
                                  ///< channel, as an output: the id granted last

  static SwitchPointers power_up(std::size_t port, std::size_t ports, std::size_t vcs) {
    const auto last = static_cast<std::uint16_t>(ports - 1);
    return {last, last, static_cast<std::uint16_t>(port * vcs + vcs - 1)};
  }
};

/// Round-robin pointers of the VC allocator: the last one served, as above.
struct VcPointers {
  std::uint16_t input = 0;   ///< as an output id: the input granted last
  std::uint16_t output = 0;  ///< as an input id: the output accepted last

  static VcPointers power_up(std::size_t ids) {
    const auto last = static_cast<std::uint16_t>(ids - 1);
    return {last, last};
  }
};

/// The state of a port's arbiters, and its status bits.
struct PortArbiter {
  SwitchPointers switch_pointers;
  bool faulty : 1 = false;        ///< fault status bit of the outgoing channel
  bool input_faulty : 1 = false;  ///< fault status bit of the incoming channel
  bool unlimited = false;         ///< a local port that consumes all flits at once
};
static_assert(sizeof(PortArbiter) == 8);

/// Registers of a port that only recovery units use.
struct PortExtras {
  VcMask held_vcs = 0;    ///< output virtual channels that a recovery unit keeps unallocated
  VcMask tail_due = 0;    ///< input virtual channels whose broken tail waits for room
  VcMask resync_due = 0;  ///< input virtual channels that raise RESYNC once they are idle
};

/// The arbiter of a port's link, which output buffers share.
struct LinkArbiter {
  VcMask buffered_vcs = 0;    ///< output virtual channels with flits in their buffers
  std::uint64_t pointer = 0;  ///< round robin: the virtual channel whose turn is next
};

/// The channels bound to a port; null if it leads nowhere.
struct PortChannels {
  Channel* in = nullptr;
  Channel* out = nullptr;

  bool faulty(bool input_side, Cycle t) const {
    const Channel* const channel = input_side ? in : out;
    return channel && channel->faulty(t);
  }
};

/// A head-copy register: what the head says about its message.
struct HeadCopy {
  MessageIndex message = kNoMessage;
  std::uint64_t word = 0;  ///< its routing state
  std::uint16_t hops = 0;  ///< channels crossed
};

/// What arrives in a cycle. Flits: masks of input virtual channels. Credits: masks of output virtual
/// channels. Control: masks of ports.
enum class Arrival : unsigned { flits, credits, control_in, control_out };

/// How a port sends the control lines that arrive in masks upstream. The bit of an input virtual channel at
/// the far end is that of its id here, rotated by a constant.
struct MaskWires {
  MaskRings rings;
  Word* wake = nullptr;
  std::uint8_t turn = 0;
  std::uint8_t wake_bit = 0;
  std::uint16_t delay = 0;

  /// The line arrives in that slot. No effect if nobody takes it.
  void announce(ControlLine line, unsigned slot, unsigned input_id) const {
    Word* const ring = rings[line];
    if (!ring) return;
    ring[slot] |= Word{1} << ((input_id + turn) & (kWordBits - 1));
    wake[slot] |= Word{1} << wake_bit;
  }
};

/// A ring by cycle of masks of virtual channels, and the bit of a port's virtual channel 0 in them.
struct VcPlace {
  Word* ring;
  unsigned shift;
};

/// Masks of up to 64 input virtual channels.
struct VcMasks {
  Word occupied = 0;             ///< input buffer not empty
  Word pending = 0;              ///< head at the front that is not yet in switch allocation
  Word routed = 0;               ///< may request the crossbar
  Word has_credit = 0;           ///< its output virtual channel can take a flit
  Word bypasses_allocation = 0;  ///< its output virtual channel needs no grant of the switch allocator
};

/// The instance of the clock cycle that a router uses.
enum class CyclePath : std::uint8_t {
  plain,     ///< one word, no output buffers, no recovery unit, crossbar by port, iSLIP over VCs
  one_word,  ///< masks of ports and of virtual channels take one word each; no mechanism of kInCycle
  any,
  ordered,      ///< allocation by class or age: as any
  foreign,      ///< a router of the user's, behind a RouterBoundary
  of_mechanism  ///< from here on as one_word, with one mechanism (path_of)
};
constexpr CyclePath path_of(Mechanism m) {
  return static_cast<CyclePath>(static_cast<unsigned>(CyclePath::of_mechanism) + static_cast<unsigned>(m));
}

/// What a router reads first in every cycle, in one cache line.
struct alignas(64) RouterHeader {
  VcMasks masks;  ///< masks of the first 64 input virtual channels
  Router* router = nullptr;
  NetworkInterface* interface = nullptr;
  RouterId id = 0;
  CyclePath path = CyclePath::any;
  bool any_control = false;      ///< control signals may be on the way here
  bool alters_arrivals = false;  ///< a mechanism alters flits that the injector puts into a buffer
  bool any_absorbing : 1 = false;
  bool any_faulty : 1 = false;       ///< a port's fault status bit
  bool down : 1 = false;             ///< the router itself is dead
  std::uint8_t hooks : 3 = 0;        ///< flits that its recovery unit is told about (FlitHooks)
  bool control_waits : 1 = false;    ///< control flits wait, or had a slot in the last cycle
  bool recovery_active : 1 = false;  ///< its recovery unit is evaluated every cycle
};
static_assert(sizeof(RouterHeader) == 64);

/// Port and virtual channel of an id.
struct VcId {
  std::uint16_t port;
  std::uint16_t vc;
};

/// What the matching of the switch allocator needs to know about the router.
struct SwitchShape {
  const VcId* place;  ///< by id
  unsigned ports;
  unsigned vcs;
  unsigned iterations;
  Word first_ids;  ///< the first id of every port, if all ids fit in one word
};

}  // namespace flitmend
