// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "rtl_tlm/interfaces/recovery_needs.h"
#include "rtl_tlm/settings.h"

namespace flitmend {

class Topology;

/// How much of the hardware is in SystemC's hierarchy. It does not change the cost of a cycle.
enum class Hierarchy : std::uint8_t {
  automatic,  ///< full for networks of up to kLargestFullHierarchy nodes, else compact
  full,       ///< every register and virtual channel is an sc_object
  compact     ///< the modules of the hardware only
};
inline constexpr std::uint64_t kLargestFullHierarchy = 256;

/// HardwareSettings, checked and converted to the values that the hardware uses. They are the same for every
/// router of a fabric.
struct HardwareParameters {
  unsigned vcs = 4;
  unsigned input_buffer = 8;   ///< flits per virtual channel
  unsigned output_buffer = 0;  ///< flits per virtual channel; 0: none
  Switching switching = Switching::wormhole;
  unsigned routing = 1;        ///< cycles
  unsigned vc_allocation = 1;  ///< cycles
  unsigned switch_to_output =
      2;  ///< cycles from the switch grant to the link (or output buffer): the last two stages
  bool atomic_reallocation = false;
  bool crossbar_by_vc = false;
  unsigned allocator_iterations = 1;
  bool head_copy = false;
  // What a recovery protocol needs in every router (equip).
  bool recovery_units = false;    ///< routers have one (RouterRecovery)
  bool flit_counter = false;      ///< of every input virtual channel; without it, waves alone show the count
  unsigned extra_flits = 0;       ///< by which a packet can be longer than the message
  unsigned id_memory = 0;         ///< RecoveryNeeds::id_memory
  bool switches_ask = false;      ///< switches hand requests to nodes, over ControlLine::request
  MechanismSet mechanisms;        ///< RecoveryNeeds::mechanisms
  bool padding = false;           ///< RecoveryNeeds::padding
  unsigned scouting = 0;          ///< with held paths: hops by which a head is ahead of its first data flit
  unsigned deadlock_timeout = 0;  ///< cycles after which a head may ask for the token of recovery from
                                  ///< deadlock; 0: there are no token and no deadlock buffers
  unsigned vector_elements = 0;   ///< of the probability vectors that routers exchange; 0: they have none
  unsigned vector_wires = 0;      ///< bits of a vector that cross a link in a cycle
  unsigned link_latency = 1;
  unsigned credit_processing = 1;  ///< cycles from the arrival of a credit until a flit can use it
  unsigned credit_latency = 1;     ///< cycles of a credit on a link between routers, without processing
  bool credits_as_flits = true;    ///< a credit takes as long as a flit, on links of their own latency too
  unsigned flit_bytes = 8;
  // Of links that have their own latency or width (fit).
  unsigned slowest_link = 0;        ///< cycles of a flit over the slowest of them; 0: there are none
  unsigned quickest_credit = ~0u;   ///< cycles of a credit over the quickest, with processing
  unsigned flit_cycles = 1;         ///< the most cycles for which a flit occupies a link
  bool parallel_injection = false;  ///< one message per virtual channel at a time
  unsigned injection_latency = 1;
  bool unlimited_ejection = false;
  unsigned ejection_latency = 1;
  unsigned reinjection_cycles = 0;  ///< software's work on an absorbed message
  unsigned receiver_latency = 1;
  unsigned source_queue = 0;      ///< messages, 0: any number
  bool limits_injection = false;  ///< by InjectionLimit
  Hierarchy hierarchy = Hierarchy::automatic;
  unsigned ring = 8;  ///< slots of every channel register, a power of two above the longest delay

  /// Throws ConfigurationError if no hardware can have these settings.
  static HardwareParameters from(const HardwareSettings&);
  /// Notes what links of their own latency and width need (Topology::link_latency and link_width), and makes
  /// room for them in the channel registers.
  void fit(const Topology&);
  /// Adds what a recovery protocol needs in routers and channels.
  void equip(const RecoveryNeeds&);
  bool has(Mechanism m) const { return mechanisms.has(m); }
  /// Whether paths are held until they are acknowledged.
  bool holds_paths() const { return mechanisms.has(kHoldsPaths); }
  /// Whether control flits go back over the paths of messages.
  bool complementary_channels() const { return holds_paths() || reserves_paths(switching); }
  /// Whether routers have a unit that may act in each cycle: of a recovery protocol, or of recovery from
  /// deadlock.
  bool has_units() const { return recovery_units || deadlock_timeout > 0; }
  /// Whether routers hand over flits to the receiver of their node without the ejection channel.
  bool hand_over_flits() const { return unlimited_ejection || deadlock_timeout > 0; }
  /// Flits per cycle that a node can inject.
  double injection_limit() const { return parallel_injection ? vcs : 1.0; }
  /// Cycles that this many flits take to cross every link.
  std::uint64_t sending_cycles(std::uint32_t flits) const { return std::uint64_t{flits} * flit_cycles; }
  /// Data bits of a flit, without the control wires of a link that identify the flit.
  unsigned flit_bits() const { return 8 * flit_bytes; }
  /// The credit latency of a Channel between routers: the link and the processing of the credit.
  unsigned link_credit_latency() const { return credit_latency + credit_processing; }
  /// The same for a link of its own latency.
  unsigned link_credit_latency(unsigned latency) const {
    return (credits_as_flits ? latency : credit_latency) + credit_processing;
  }
  /// The same for an injection channel.
  unsigned injection_credit_latency() const { return injection_latency + credit_processing; }
  /// The same for an ejection channel. The interface returns a credit as soon as a flit has reached it. The
  /// receiver's cycles, which the channel counts as part of the flit's latency, pass in the meantime.
  unsigned ejection_credit_latency() const {
    return ejection_latency +
           (credit_processing > receiver_latency ? credit_processing - receiver_latency : 0);
  }
  /// Max(C, A): the most flits of a message that can be between the crossbar of a router C and the arrival at
  /// the next router but one, A: in C's output buffer, in the router B between them, and on the wires. They
  /// are lost if B dies. With links of their own latency, a bound: the slowest link, the quickest credits.
  unsigned flits_between() const;
  /// With unlimited ejection: cycles from the switch until a flit is consumed. Until then a router withholds
  /// what mechanisms signal of it (kWithholdSignals). 0 otherwise.
  unsigned consumed_after() const {
    return unlimited_ejection ? switch_to_output + ejection_latency + receiver_latency : 0;
  }
  /// The most flits of a message that can be in the network at once, between its injector and its receiver,
  /// on a way of that many channels between routers.
  unsigned flits_on_way(unsigned hops) const;
  /// Cycles from the switch until a signal that follows the flits reaches the next router.
  unsigned forward_signal_cycles() const { return (output_buffer > 0 ? 0 : switch_to_output) + link_latency; }
  /// The most cycles that a message at zero load waits for a credit or for its head: the longest credit loop
  /// of any channel, and the stages that only heads take.
  unsigned longest_stall() const;
  /// Cycles per hop at zero load: the stages and the slowest link.
  unsigned hop_cycles() const {
    return routing + vc_allocation + switch_to_output + std::max(link_latency, slowest_link);
  }
};

}  // namespace flitmend
