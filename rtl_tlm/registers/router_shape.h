// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/parameters.h"
#include "rtl_tlm/registers/router_registers.h"

namespace flitmend {

struct NetworkContext;

/// Sizes and hardware parameters that routers of a network with the same number of ports share. Network ports
/// come first, in the topology's order; the local port, if the router has one, is the last.
struct RouterShape {
  /// Throws ConfigurationError if the ids do not fit in 16 bits.
  RouterShape(NetworkContext&, unsigned ports, bool has_local_port);
  RouterShape(const RouterShape&) = delete;
  RouterShape& operator=(const RouterShape&) = delete;

  static constexpr unsigned kNoPort = ~0u;
  /// No register has this type, so the compiler knows that writing a register changes no size.
  using Size = unsigned long long;

  /// Whether output virtual channels of the port are allocated and their credits counted.
  bool allocates_outputs(unsigned port) const { return !(unlimited_ejection && port == local_port); }
  /// Whether a message is granted an output virtual channel only if all of it fits in the next buffer.
  bool whole_messages() const { return needs_whole_room(switching); }
  /// Whether the slots in use of an output buffer take several cache lines.
  bool deep_output_buffers() const { return output_buffer >= 8; }
  Size network_ports() const { return local_port == kNoPort ? ports : local_port; }

  NetworkContext& context;
  MessagePool& messages;
  Size ports;
  Size local_port;  ///< kNoPort: none
  Size vcs;
  Size ids;  ///< ports · vcs
  Size vc_words;
  Size ids_per_arrival_word;  ///< those of as many ports as fit in a word (rows::Arrivals)
  Size arrival_words;
  Size port_words;
  Size input_buffer;   ///< flits of an input buffer
  Size input_slots;    ///< the same, and one in front of it if there is one (HardwareParameters::extra_slot)
  Size input_flits;    ///< those of them that are flits, not registers of another kind
  Size output_buffer;  ///< flits of an output buffer, 0: none
  Size max_candidates;
  Size classes;  ///< of virtual channels, see RoutingFunction
  Size routing_cycles;
  Size vc_allocation_cycles;
  Size switch_cycles;    ///< from the switch grant to the link or output buffer
  Size ejection_cycles;  ///< with unlimited ejection: from the grant to the consumption
  Size ring;             ///< slots of the arrival registers, a power of two
  Switching switching;
  bool atomic;                 ///< reallocation of output virtual channels
  bool crossbar_by_vc;         ///< inputs and outputs
  bool crossbar_input_per_vc;  ///< inputs only
  bool draws_vcs;              ///< the VC allocator, at random
  bool looks_at_outputs;       ///< the routing function looks at outputs
  bool requests_all;           ///< heads request all of their candidates at once
  bool has_head_copies;
  bool unlimited_ejection;  ///< the local port consumes flits at once: no virtual channels, no credits
  bool recovery_units;
  bool flit_counters;  ///< they are part of the hardware, not only of waves
  std::uint16_t allocator_iterations;
  Size id_memory;      ///< RecoveryNeeds::id_memory
  bool padding;        ///< packets are padded
  bool complementary;  ///< channels for control flits that go back over paths
  bool holds_paths;    ///< with them: paths are held until they are acknowledged
  bool heads_go_back;  ///< with them: a head that finds its channels busy goes back
  bool head_history;   ///< with them: a head takes each port of a router once
  Size retry_backoff;  ///< of heads that go back: the longest wait before the first retry
  Size scouting;       ///< with held paths: hops by which a head is ahead of its first data flit
  CyclePath path;
  std::vector<VcId> place;  ///< by id
  SwitchShape switch_shape;
  Size dummy_output;  ///< the bit of the dummy in rows::OutputVcs, if a word of ids has one left; else 0
};

}  // namespace flitmend
