#pragma once
#include <cstdint>
#include <vector>

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
  bool flushing = false;         ///< in ABSORB: until the bank is empty, not until a tail
  std::uint8_t candidates = 0;   ///< of the last route computation
  std::uint32_t flits_sent = 0;  ///< flit counter: flits of the current message that crossed the crossbar
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
struct PortState {
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
};

/// A head-copy register: what the head said of its message.
struct HeadCopy {
  MessageIndex message = kNoMessage;
  std::uint64_t word = 0;
};

/// The registers of a router, contiguous, for the parts that compute on them. Ports 0 … ports − 2 are network
/// ports in the topology's order where the router has a local port, which is then the last; masks of virtual
/// channels are vc_words words, masks of ports port_words words.
struct RouterState {
  RouterState(const HardwareParameters&, unsigned ports, unsigned max_candidates);

  unsigned ports;
  unsigned vcs;
  unsigned ids;  ///< ports · vcs
  unsigned vc_words;
  unsigned port_words;
  unsigned depth;         ///< flits of an input FIFO bank
  unsigned output_depth;  ///< flits of an output buffer, 0: none
  unsigned max_candidates;

  std::vector<InputVcState> input;
  std::vector<OutputVcState> output;
  std::vector<Flit> fifo;           ///< depth flits an input virtual channel
  std::vector<Flit> output_fifo;    ///< output_depth flits an output virtual channel
  std::vector<Cycle> output_ready;  ///< cycle from which each of those may leave
  std::vector<RouteCandidate> candidates;
  std::vector<HeadCopy> head_copy;     ///< empty where the hardware has none
  std::vector<std::uint16_t> port_of;  ///< id → port

  // Masks by input id.
  std::vector<Word> occupied;  ///< FIFO bank not empty
  std::vector<Word>
      pending;               ///< head at the front, in routing, VC allocation or not yet in switch allocation
  std::vector<Word> routed;  ///< may ask for the crossbar
  std::vector<Word> space;   ///< its output virtual channel can take a flit
  std::vector<Word> absorbing;
  // By port.
  std::vector<PortState> port;

  Flit& fifo_at(unsigned id, unsigned place) { return fifo[id * depth + place]; }
  const Flit& front(unsigned id) const { return fifo[id * depth + input[id].first]; }
  /// Flits that the bank can still take.
  unsigned room(unsigned id) const { return depth - input[id].count - input[id].retained; }
  RouteCandidate* candidates_of(unsigned id) { return &candidates[std::size_t{id} * max_candidates]; }

  /// As after power-up: everything idle and empty, all credits home.
  void reset(const HardwareParameters&);
};

}  // namespace flitmend
