#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <systemc>

#include "base/bits.h"
#include "rtl_tlm/channel.h"
#include "rtl_tlm/flit.h"
#include "rtl_tlm/interfaces/routing_function.h"
#include "rtl_tlm/message.h"
#include "rtl_tlm/parameters.h"

namespace flitmend {

/// States of a virtual channel's route FSM (Fig. 44; absorb is the recovery protocols').
enum class RouteFsm : std::uint8_t {
  idle,
  needs_route,  ///< a head is at the front and has no output virtual channel yet
  routed,       ///< an output virtual channel is reserved until the tail has crossed
  backup,       ///< prepares a retransmission
  absorb,       ///< takes and discards flits up to the next tail
};
const char* to_string(RouteFsm);

/// The pipeline stage in which the head at the front of a virtual channel stands.
enum class PipelineStage : std::uint8_t { none, routing, vc_allocation, switch_allocation };
const char* to_string(PipelineStage);

inline constexpr std::uint16_t kNoVc = 0xffff;  ///< names no input or output virtual channel of a router

/// Registers of an input virtual channel. Indices: id = port · virtual channels + vc.
struct InputVcState {
  std::uint16_t first = 0;        ///< place of the front flit in the FIFO bank
  std::uint16_t count = 0;        ///< flits that wait to be sent
  std::uint16_t retained = 0;     ///< flits sent whose copies are kept (two-step flow control)
  std::uint16_t output = kNoVc;   ///< output virtual channel while routed
  std::uint16_t output_port = 0;  ///< port of `output`
  std::uint16_t flits_sent = 0;   ///< flit counter: flits of the current message that crossed the crossbar
  RouteFsm fsm = RouteFsm::idle;
  PipelineStage stage = PipelineStage::none;
  bool flushing = false;        ///< in ABSORB: until the bank is empty, not until a tail
  std::uint8_t candidates = 0;  ///< of the last route computation
};
static_assert(sizeof(InputVcState) == 16);

/// What an input virtual channel knows of the head at its front.
struct HeadState {
  Cycle ready = 0;               ///< cycle from which the current stage may finish
  std::uint64_t next_state = 0;  ///< h′ that the head carries on
};

/// Registers of an output virtual channel: the flow-control counter and the owner.
struct OutputVcState {
  std::uint16_t credits = 0;    ///< free flits in the next buffer
  std::uint16_t owner = kNoVc;  ///< input virtual channel that holds it
  std::uint16_t queued = 0;     ///< flits in the output buffer or on the way to it
  std::uint16_t first = 0;      ///< place of the front flit in the output buffer
};

/// Registers of a port: a cache line for the flits that leave here, one for the credits that go back.
struct alignas(64) PortState {
  FlitWires out;                 ///< of the channel that leaves here
  std::uint64_t flits_sent = 0;  ///< onto it since the start
  std::uint64_t granted =
      ~0ull;  ///< last crossbar grant of this output: cycle · 2^16 + input virtual channel

  CreditWires in;            ///< of the channel that arrives here
  VcMask free_vcs = 0;       ///< output virtual channels without an owner that may be given away
  VcMask held_vcs = 0;       ///< those that a recovery unit keeps from being given away
  VcMask output_queued = 0;  ///< output virtual channels with flits in their buffers

  void grant(Cycle t, unsigned input_id) { granted = t << 16 | input_id; }
  Cycle granted_at() const { return granted == ~0ull ? kNever : granted >> 16; }
  unsigned granted_input() const { return granted & 0xffff; }
};
static_assert(sizeof(PortState) == 128);

/// The status bits of a port, and what the arbiter of its link remembers.
struct PortStatusBits {
  std::uint16_t link_pointer = 0;  ///< round robin of the link
  bool faulty = false;             ///< fault status bit
  bool unlimited = false;          ///< a local port whose flits are all consumed at once
};

/// The channels bound to a port; null where it leads nowhere.
struct PortChannels {
  Channel* in = nullptr;
  Channel* out = nullptr;
};

/// A head-copy register: what the head said of its message.
struct HeadCopy {
  MessageIndex message = kNoMessage;
  std::uint64_t word = 0;
};

/// A row of registers in a router's block.
template <class T>
class Registers {
 public:
  T& operator[](std::size_t i) { return first_[i]; }
  const T& operator[](std::size_t i) const { return first_[i]; }
  T* data() { return first_; }
  const T* data() const { return first_; }
  T* begin() { return first_; }
  T* end() { return first_ + size_; }
  const T* begin() const { return first_; }
  const T* end() const { return first_ + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  friend struct RouterState;
  T* first_ = nullptr;
  std::size_t size_ = 0;
};

/// What arrives in a cycle. flits, credits: masks of the input and output virtual channels, where one word
/// takes them; control: masks of ports; and what arrives at the network interface, in the first word.
enum class Arrival : unsigned {
  flits,
  credits,
  control_in,
  control_out,
  interface_flits,
  interface_credits,
  interface_control
};
struct alignas(kSlotWords * sizeof(Word)) ArrivalSlot {
  Word words[kSlotWords];
  Word& operator[](Arrival what) { return words[static_cast<unsigned>(what)]; }
};

/// A ring of masks of virtual channels (words kSlotWords apart), and where in them virtual channel 0 of a
/// port stands.
struct VcPlace {
  Word* ring;
  unsigned shift;
};

/// The registers of a router, all in one block of memory in the order in which a cycle looks at them: a
/// router touches few cache lines. Ports 0 … ports − 2 are network ports in the topology's order where the
/// router has a local port, which is then the last; masks of virtual channels are vc_words words, masks of
/// ports port_words words.
struct RouterState {
  /// `owner`: the router, for messages about model errors.
  RouterState(const HardwareParameters&, unsigned ports, unsigned max_candidates, const MessagePool&,
              const sc_core::sc_object& owner);
  RouterState(const RouterState&) = delete;
  RouterState& operator=(const RouterState&) = delete;

  unsigned ports;
  unsigned vcs;
  unsigned ids;  ///< ports · vcs
  unsigned vc_words;
  unsigned port_words;
  unsigned depth;         ///< flits of an input FIFO bank
  unsigned output_depth;  ///< flits of an output buffer, 0: none
  unsigned max_candidates;
  unsigned routing_cycles;
  unsigned switch_cycles;  ///< from the crossbar grant to the link or output buffer
  unsigned ring;           ///< slots of the arrival registers, a power of two
  Switching switching;
  bool atomic;  ///< reallocation of output virtual channels

  Registers<Word> occupied;         ///< mask of input ids: FIFO bank not empty
  Registers<ArrivalSlot> arrivals;  ///< what arrives: by word and slot
  Registers<PortState> port;
  Registers<InputVcState> input;
  Registers<OutputVcState> output;
  Registers<std::uint16_t> port_of;  ///< id → port
  Registers<PortStatusBits> status;  ///< by port
  Registers<Flit> arrived_flits;     ///< by port and slot
  Registers<HeadState> head;         ///< by input id
  Registers<Flit> fifo;              ///< depth flits an input virtual channel

  // Further masks by input id; they stand behind `occupied` in this order.
  Registers<Word> pending;  ///< head at the front, in routing, VC allocation or not yet in switch allocation
  Registers<Word> routed;   ///< may ask for the crossbar
  Registers<Word> space;    ///< its output virtual channel can take a flit
  Registers<Word> direct;   ///< its output virtual channel needs no grant of the crossbar allocator
  Registers<Word> absorbing;

  Registers<ArrivalSlot> arrived_vcs;  ///< flits and credits where one word does not take them, see vc_place
  Registers<Flit> output_fifo;         ///< output_depth flits an output virtual channel
  Registers<Cycle> output_ready;       ///< cycle from which each of those may leave
  Registers<RouteCandidate> candidates;
  Registers<HeadCopy> head_copy;     ///< empty where the hardware has none
  Registers<PortChannels> channels;  ///< by port
  const MessagePool* messages;
  const sc_core::sc_object* owner;

  Flit& fifo_at(unsigned id, unsigned place) { return fifo[id * depth + place]; }
  const Flit& front(unsigned id) const { return fifo[id * depth + input[id].first]; }
  /// Flits that the bank can still take.
  unsigned room(unsigned id) const { return depth - input[id].count - input[id].retained; }
  RouteCandidate* candidates_of(unsigned id) { return &candidates[std::size_t{id} * max_candidates]; }
  /// Whether an output virtual channel is given only to messages that fit behind it whole.
  bool whole_messages() const { return switching != Switching::wormhole; }
  /// The ring of a word of such a mask: words kSlotWords apart.
  Word* arriving(Arrival what, unsigned word = 0) { return &arrivals[std::size_t{word} * ring][what]; }
  /// Where the flits or the credits of a port arrive.
  VcPlace vc_place(Arrival what, unsigned p) {
    if (vc_words == 1) return {arriving(what), p * vcs};
    const std::size_t row =
        std::size_t{static_cast<unsigned>(what)} * mask_words(ports * kSlotWords) + p / kSlotWords;
    return {&arrived_vcs[row * ring].words[p % kSlotWords], 0};
  }

  /// As after power-up: everything idle and empty, nothing arriving, all credits home.
  void reset(const HardwareParameters&);

 private:
  struct Free {
    void operator()(std::byte* block) const { ::operator delete (block, std::align_val_t{64}); }
  };
  template <class F>
  void for_each_row(const HardwareParameters&, F&& f);

  std::unique_ptr<std::byte, Free> block_;
};

}  // namespace flitmend
