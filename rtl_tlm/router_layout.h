// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_tlm/parameters.h"
#include "rtl_tlm/router_registers.h"

namespace flitmend {

struct NetworkContext;

/// A head that asks for an output virtual channel.
struct VcRequest {
  std::uint16_t input;    ///< id of the input virtual channel
  std::uint16_t port;     ///< output port
  VcMask vcs;             ///< output virtual channels that would do, all free; not 0
  std::uint16_t granted;  ///< result: output id, kNoVc for none
};

/// Memory for the matching of the VC allocator; all kNoVc and empty between two calls.
struct VcScratch {
  explicit VcScratch(std::size_t ids) : grantee(ids, kNoVc) { touched.reserve(ids); }
  std::vector<std::uint16_t> grantee;  ///< by output id: request granted in this round
  std::vector<std::uint16_t> touched;  ///< output ids requested in this round
};

/// Memory for what a router needs within a cycle and not after it; one cycle at a time uses it.
struct RouterScratch {
  std::vector<VcRequest> requests;  ///< room for all ids
  VcScratch vc{0};
  std::vector<VcMask> available;  ///< by candidate
  // Where masks take several words: input ids that ask for the crossbar, and those that cross.
  std::vector<Word> asking;
  std::vector<std::uint16_t> granted;
};

/// What the routers of a network with as many ports have in common: sizes, what the hardware's parameters
/// say, and at which byte of a router's block each row of registers stands.
struct RouterLayout {
  /// Throws ConfigurationError where the ids do not fit 16 bits, or the block is above 4 GB.
  RouterLayout(NetworkContext&, unsigned ports, bool has_local_port);
  RouterLayout(const RouterLayout&) = delete;
  RouterLayout& operator=(const RouterLayout&) = delete;

  static constexpr unsigned kNoPort = ~0u;
  /// A type that no register has: so the compiler knows that what is written to a register changes no size.
  using Size = unsigned long long;

  /// Whether an output virtual channel is given only to messages that fit behind it whole.
  bool whole_messages() const { return switching != Switching::wormhole; }

  NetworkContext& context;
  MessagePool& messages;
  Size ports;
  Size local_port;  ///< kNoPort: none
  Size vcs;
  Size ids;  ///< ports · vcs
  Size vc_words;
  Size port_words;
  Size input_buffer;   ///< flits of an input buffer
  Size output_buffer;  ///< flits of an output buffer, 0: none
  Size max_candidates;
  Size classes;  ///< of virtual channels, see RoutingFunction
  Size routing_cycles;
  Size vc_allocation_cycles;
  Size switch_cycles;    ///< from the switch grant to the link or output buffer
  Size ejection_cycles;  ///< from the grant to the consumption, where ejection is unlimited
  Size ring;             ///< slots of the arrival registers, a power of two
  Size allocator_iterations;
  Switching switching;
  bool atomic;  ///< reallocation of output virtual channels
  bool crossbar_by_vc;
  bool looks_at_outputs;  ///< the routing function does
  bool has_head_copies;
  CyclePath path;           ///< of routers without a recovery unit
  std::vector<VcId> place;  ///< by id
  Size first_ids;           ///< mask of every port's virtual channel 0, where one word takes all ids
  mutable RouterScratch scratch;

  // Bytes from the start of the block, in the order of the rows there; the RouterHeader stands first.
  Size arrivals;       ///< Word by Arrival (flits, credits) and slot
  Size arrived_flits;  ///< Flit by port and slot
  Size output;         ///< OutputVcState by id, and one that is no output's
  Size arbiter;        ///< PortArbiter by port
  Size wanted;  ///< Word by port: ids of the input virtual channels routed to it; where one word takes all
  Size input;   ///< InputVcState
  Size port;    ///< PortState
  Size input_flits;  ///< Flit by place and input id
  Size hot_bytes;    ///< what is asked for ahead of a router's turn: what a cycle may look at
  Size route;        ///< HeadRoute and max_candidates RouteCandidates, route_bytes an input id
  Size route_bytes;
  Size vc_pointers;   ///< VcPointers by id
  Size port_vcs;      ///< VcMask by port: which are free, then those of each class
  Size masks;         ///< VcMasks of the second word on
  Size absorbing;     ///< Word by word of ids
  Size control;       ///< Word by Arrival (from control_in on), word of ports and slot
  Size arrived_vcs;   ///< Word by flits or credits, port and slot; none where arrivals has them
  Size extras;        ///< PortExtras
  Size queue;         ///< OutputBuffer by output id; none without output buffers
  Size output_flits;  ///< output_depth Flits an output id
  Size output_ready;  ///< Cycle from which each of those may leave
  Size head_copy;     ///< HeadCopy by input id; none where the hardware has none
  Size holder_state;  ///< by output id; none unless the routing looks at outputs
  Size channels;      ///< PortChannels
  Size bytes;         ///< of the block
};

}  // namespace flitmend
