#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <systemc>

#include "base/bits.h"
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
  Cycle ready = 0;               ///< cycle from which the current stage may finish
  std::uint64_t next_state = 0;  ///< h′ that the head carries on
  std::uint16_t first = 0;       ///< place of the front flit in the FIFO bank
  std::uint16_t count = 0;       ///< flits that wait to be sent
  std::uint16_t retained = 0;    ///< flits sent whose copies are kept (two-step flow control)
  std::uint16_t output = kNoVc;  ///< output virtual channel while routed
  RouteFsm fsm = RouteFsm::idle;
  PipelineStage stage = PipelineStage::none;
  bool flushing = false;          ///< in ABSORB: until the bank is empty, not until a tail
  std::uint8_t candidates = 0;    ///< of the last route computation
  std::uint16_t output_port = 0;  ///< port of `output`
  std::uint16_t flits_sent = 0;   ///< flit counter: flits of the current message that crossed the crossbar
};

/// Registers of an output virtual channel: the flow-control counter and the owner.
struct OutputVcState {
  std::uint16_t credits = 0;    ///< free flits in the next buffer
  std::uint16_t owner = kNoVc;  ///< input virtual channel that holds it
  std::uint16_t queued = 0;     ///< flits in the output buffer or on the way to it
  std::uint16_t first = 0;      ///< place of the front flit in the output buffer
};

class Channel;

/// Registers of a port.
struct alignas(64) PortState {
  Channel* in = nullptr;  ///< null where the port leads nowhere
  Channel* out = nullptr;
  VcMask free_vcs = 0;                  ///< output virtual channels without an owner that may be given away
  VcMask held_vcs = 0;                  ///< those that a recovery unit keeps from being given away
  VcMask output_queued = 0;             ///< output virtual channels with flits in their buffers
  Cycle granted_at = kNever;            ///< cycle of the last crossbar grant of this output
  std::uint64_t flits_sent = 0;         ///< onto the channel of this output since the start
  std::uint16_t granted_input = kNoVc;  ///< input virtual channel of that grant
  std::uint16_t link_pointer = 0;       ///< round robin of the link
  bool faulty = false;                  ///< fault status bit
  bool unlimited = false;               ///< a local port whose flits are all consumed at once
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

/// Which ports something arrives at in a cycle; a word each, in this order, port_words of them a slot.
enum class Arrival : unsigned { flits, credits, control_in, control_out };
inline constexpr unsigned kArrivals = 4;

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
  const MessagePool* messages;
  const sc_core::sc_object* owner;

  // Masks by input id.
  Registers<Word> occupied;  ///< FIFO bank not empty
  Registers<Word> pending;   ///< head at the front, in routing, VC allocation or not yet in switch allocation
  Registers<Word> routed;    ///< may ask for the crossbar
  Registers<Word> space;     ///< its output virtual channel can take a flit
  Registers<Word> absorbing;
  // What arrives, a ring by cycle.
  Registers<Word> arrivals;           ///< by slot, Arrival and word
  Registers<VcMask> arrived_credits;  ///< by slot and port
  Registers<Flit> arrived_flits;      ///< by slot and port

  Registers<PortState> port;
  Registers<InputVcState> input;
  Registers<OutputVcState> output;
  Registers<std::uint16_t> port_of;  ///< id → port
  Registers<Flit> fifo;              ///< depth flits an input virtual channel
  Registers<Flit> output_fifo;       ///< output_depth flits an output virtual channel
  Registers<Cycle> output_ready;     ///< cycle from which each of those may leave
  Registers<RouteCandidate> candidates;
  Registers<HeadCopy> head_copy;  ///< empty where the hardware has none

  Flit& fifo_at(unsigned id, unsigned place) { return fifo[id * depth + place]; }
  const Flit& front(unsigned id) const { return fifo[id * depth + input[id].first]; }
  /// Flits that the bank can still take.
  unsigned room(unsigned id) const { return depth - input[id].count - input[id].retained; }
  RouteCandidate* candidates_of(unsigned id) { return &candidates[std::size_t{id} * max_candidates]; }
  /// Whether an output virtual channel is given only to messages that fit behind it whole.
  bool whole_messages() const { return switching != Switching::wormhole; }
  /// The masks of ports at which something arrives in that slot.
  Word* arriving(unsigned slot, Arrival what) {
    return &arrivals[(slot * kArrivals + static_cast<unsigned>(what)) * port_words];
  }

  /// Asks the processor for what a cycle looks at first: masks, arrivals, ports.
  void prefetch() const {
    const std::byte* const block = block_.get();
    for (unsigned line = 0; line < kLookedAt; ++line) __builtin_prefetch(block + line * 64);
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
  static constexpr unsigned kLookedAt = 12;  ///< cache lines; beyond the end of the block they do no harm
};

}  // namespace flitmend
