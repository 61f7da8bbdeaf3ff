// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "rtl_tlm/interfaces/recovery_needs.h"
#include "rtl_tlm/settings.h"
#include "rtl_tlm/signals/class_arbiter.h"

namespace flitmend {

class Topology;

/// How much of the hardware is in SystemC's hierarchy. It does not change the cost of a cycle.
enum class Hierarchy : std::uint8_t {
  automatic,  ///< full for networks of up to kLargestFullHierarchy nodes, else compact
  full,       ///< every register and virtual channel is an sc_object
  compact     ///< the modules of the hardware only
};
inline constexpr std::uint64_t kLargestFullHierarchy = 256;

/// The settings of the hardware, checked, and what topology and recovery protocol add to them. They are the
/// same for every router of a fabric.
struct HardwareParameters : HardwareSettings {
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
  // Of links that have their own latency or width (fit).
  unsigned slowest_link = 0;       ///< cycles of a flit over the slowest of them; 0: there are none
  unsigned quickest_credit = ~0u;  ///< cycles of a credit over the quickest, with processing
  unsigned flit_cycles = 1;        ///< the most cycles for which a flit occupies a link
  ClassRules classes{};            ///< of messages, and who goes first (router.arbitration)
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
  bool complementary_channels() const { return holds_paths() || reserves_paths(router.technique()); }
  /// Whether there is one more slot in front of each input buffer.
  bool extra_slot() const { return mechanisms.has_any(kExtraSlot) || router.heads_go_back(); }
  /// Control lines that channels between routers have for heads that go back, without any recovery protocol.
  ControlLineSet lines_of_heads() const {
    return router.heads_go_back() ? line_bit(ControlLine::backtrack) | line_bit(ControlLine::no_route) : 0;
  }
  /// Whether routers have a unit that may act in each cycle: of a recovery protocol, or of recovery from
  /// deadlock.
  bool has_units() const { return recovery_units || deadlock_timeout > 0; }
  /// Whether routers hand over flits to the receiver of their node without the ejection channel.
  bool hand_over_flits() const { return network_interface.unlimited_ejection() || deadlock_timeout > 0; }
  /// Flits per cycle that a node can inject.
  double injection_limit() const {
    return network_interface.injects_in_parallel() ? router.virtual_channels : 1.0;
  }
  /// Cycles that this many flits take to cross every link.
  std::uint64_t sending_cycles(std::uint32_t flits) const { return std::uint64_t{flits} * flit_cycles; }
  /// The credit latency of a Channel between routers: the link and the processing of the credit.
  unsigned link_credit_latency() const { return link_credit_latency(link.latency); }
  /// The same for a link of its own latency.
  unsigned link_credit_latency(unsigned latency) const {
    return link.credit_cycles(latency) + router.pipeline.credit;
  }
  /// The same for an injection channel.
  unsigned injection_credit_latency() const {
    return network_interface.injection_latency + router.pipeline.credit;
  }
  /// The same for an ejection channel. The interface returns a credit as soon as a flit has reached it. The
  /// receiver's cycles, which the channel counts as part of the flit's latency, pass in the meantime.
  unsigned ejection_credit_latency() const {
    const unsigned receiver = network_interface.receiver_latency, credit = router.pipeline.credit;
    return network_interface.ejection_latency + (credit > receiver ? credit - receiver : 0);
  }
  /// Max(C, A): the most flits of a message that can be between the crossbar of a router C and the arrival at
  /// the next router but one, A: in C's output buffer, in the router B between them, and on the wires. They
  /// are lost if B dies. With links of their own latency, a bound: the slowest link, the quickest credits.
  unsigned flits_between() const;
  /// With unlimited ejection: cycles from the switch until a flit is consumed. Until then a router withholds
  /// what mechanisms signal of it (kWithholdSignals). 0 otherwise.
  unsigned consumed_after() const {
    return network_interface.unlimited_ejection()
               ? router.pipeline.switch_to_output() + network_interface.ejection_cycles()
               : 0;
  }
  /// The most flits of a message that can be in the network at once, between its injector and its receiver,
  /// on a route of `hops` channels between routers.
  unsigned flits_on_way(unsigned hops) const;
  /// Cycles from the switch until a signal that follows the flits reaches the next router.
  unsigned forward_signal_cycles() const {
    return (router.output_buffer > 0 ? 0 : router.pipeline.switch_to_output()) + link.latency;
  }
  /// The most cycles that a message at zero load waits for a credit or for its head: the longest credit loop
  /// of any channel, and the stages that only heads take.
  unsigned longest_stall() const;
  /// Cycles per hop at zero load: the stages and the slowest link.
  unsigned hop_cycles() const { return router.pipeline.sum() + std::max(link.latency, slowest_link); }
};

}  // namespace flitmend
