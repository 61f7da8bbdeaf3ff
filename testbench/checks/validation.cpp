// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/validation.h"

#include <algorithm>
#include <optional>

#include "base/bits.h"
#include "base/errors.h"
#include "base/text.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "protocols/routing/virtual_networks.h"
#include "rtl_tlm/parameters.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/checks/memory_estimate.h"
#include "testbench/workloads/workload.h"
#include "topologies/graphml.h"
#include "topologies/grid.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// A whole message must fit in each buffer that it waits in, or it can never move. `extra`: flits that the
/// recovery protocol may add to it; `cause`: the key that says how long it is.
void check_buffers(const HardwareParameters& hardware, std::uint32_t longest, const std::string& switching,
                   std::string_view remedy, const std::string& cause, std::uint32_t extra = 0) {
  if (!needs_whole_room(hardware.router.technique())) return;
  const auto check = [&](const char* key, unsigned flits) {
    if (flits < longest + extra)
      throw KeyError(key,
                     formatted("%2% cannot hold the longest message of %3%%4%, as "
                               "router.switching %5% requires; set %1% to %6% or more, or %7%",
                               key, counted(flits, "flit"), counted(longest, "flit"),
                               extra ? formatted(" and %1% of recovery.protocol", extra) : "", switching,
                               longest + extra, remedy),
                     {"router.switching", cause});
  };
  check("router.input_buffer", hardware.router.input_buffer);
  if (hardware.router.output_buffer > 0) check("router.output_buffer", hardware.router.output_buffer);
}

/// Its packets must fit in the buffers, and their flits must have numbers.
void check_longest(const Configuration& c, const Topology& topology, const HardwareParameters& hardware,
                   const LongestMessage& longest) {
  const std::uint32_t extra =
      extra_flits(recovery_protocols().at(c.recovery.protocol), c.recovery, c.routing, hardware, topology);
  check_buffers(hardware, longest.flits, c.hardware.router.switching, longest.remedy,
                std::string(longest.key), extra);
  if (std::uint64_t{longest.flits} + extra > kLongestMessage)
    throw KeyError("recovery.protocol",
                   formatted("%1% can add %2% flits to a message, so that the longest one would have %3%; "
                             "%4% are possible: %5%, or choose another recovery.protocol",
                             c.recovery.protocol, extra, std::uint64_t{longest.flits} + extra,
                             kLongestMessage, longest.remedy));
}

void check_disha(const Configuration& c, const Topology& topology) {
  if (c.deadlock.recovery != "disha") return;
  const auto refuse = [](const std::string& why, const char* other) {
    throw KeyError("deadlock.recovery", "disha " + why, {other});
  };
  if (!is_grid(topology))
    refuse("works on meshes, tori and hypercubes only, but the network is " +
               with_article(topology.description()) + "; set none, or choose another network.topology",
           "network.topology");
  if (topology.port_count(0) > kWordBits)
    refuse(formatted("works with up to %1% ports between routers, but the %2% has %3%; set none, or fewer "
                     "dimensions",
                     kWordBits, topology.description(), topology.port_count(0)),
           "network.topology");
  if (c.recovery.protocol != "none")
    refuse("works with recovery.protocol none only, because it cannot tell a recovery unit of " +
               c.recovery.protocol + " which messages leave their way; set one of the two to none",
           "recovery.protocol");
  if (routing_properties(topology, c.routing).vector_wires > 0)
    refuse("does not work with routing.algorithm " + c.routing.algorithm +
               ", which is free of deadlock by its escape channels; set none",
           "routing.algorithm");
  if (c.faults.any())
    refuse(
        "works without faults only: a fault could take the token or a message on the lane; set none, or "
        "remove the faults",
        "faults");
}

/// Refuses settings that contradict paths reserved before data flows.
void check_circuits(const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
  if (hardware.router.technique() != Switching::pipelined_circuit) return;
  const auto refuse = [](const std::string& why, const char* other) {
    throw KeyError("router.switching", "pipelined-circuit " + why, {other});
  };
  if (c.recovery.protocol != "none")
    refuse(
        "works with recovery.protocol none only: " +
            (c.recovery.protocol == "apcs"
                 ? std::string("apcs has a pipelined circuit of its own; set wormhole for that")
                 : "the signals of " + c.recovery.protocol +
                       " do not support data that waits for an acknowledgement; set the protocol to none, or "
                       "to apcs with router.switching wormhole"),
        "recovery.protocol");
  if (c.deadlock.recovery != "none")
    refuse("works with deadlock.recovery none only: a head that left through the lane of " +
               c.deadlock.recovery +
               " would have no path for the acknowledgement; set that to none, or another technique",
           "deadlock.recovery");
  if (c.faults.any() && hardware.router.at_busy() != AtBusy::backtrack)
    refuse(
        "works without faults only: nothing tears down the path of a head that finds no route; remove the "
        "faults, set wormhole with recovery.protocol apcs or, for faults that are there from the start, "
        "router.busy backtrack",
        "faults");
  if (c.faults.strike_later())
    refuse(
        "with router.busy backtrack works with faults that are there from the start only: nothing tears "
        "down a path that a fault cuts; remove the others, or set wormhole with recovery.protocol apcs",
        "faults");
  if (narrowest_link(topology, hardware.link.flit_bits()))
    refuse(
        "works without links narrower than a flit, because its control flits share their wires with the "
        "data; remove the widths from the graph, lower link.flit_bytes, or set another technique",
        "network.graph");
  for (RouterId r = 0; r < topology.router_count(); ++r)
    if (topology.port_count(r) > kWordBits)
      refuse(formatted("works with up to %1% ports between routers, but %2% has %3%; set another "
                       "technique, or use a topology with fewer ports per router",
                       kWordBits, topology.router_name(r), topology.port_count(r)),
             "network.topology");
}

/// A flit may not occupy a link for longer than the longest link takes.
void check_widths(const Topology& topology, const HardwareParameters& hardware) {
  const auto narrowest = narrowest_link(topology, hardware.link.flit_bits());
  if (!narrowest) return;
  const unsigned width = topology.link_width(narrowest->router, narrowest->port);
  const unsigned cycles = cycles_per_flit(width, hardware.link.flit_bits());
  if (cycles <= kLongestLinkLatency) return;
  throw KeyError(
      "network.graph",
      formatted("the link from %1% to %2% has a width of %3%, so that a flit of %4% takes %5% cycles; at "
                "most %6% are possible: give it a greater width, or lower link.flit_bytes",
                topology.router_name(narrowest->router),
                topology.router_name(topology.neighbour(narrowest->router, narrowest->port)->router),
                counted(width, "bit"), counted(hardware.link.flit_bits(), "bit"), cycles,
                kLongestLinkLatency),
      {"link.flit_bytes"});
}

void check_recovery(const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
  check_circuits(c, topology, hardware);
  const RecoveryEntry& recovery = recovery_protocols().at(c.recovery.protocol);
  if (recovery.check) recovery.check(topology);
  check_disha(c, topology);
  if (c.deadlock.recovery == "compressionless" && c.recovery.protocol != "fcr")
    throw KeyError("deadlock.recovery",
                   "compressionless is part of recovery.protocol fcr, but the protocol is " +
                       c.recovery.protocol + "; set fcr, or remove the key",
                   {"recovery.protocol"});
  if (recovery.needs.id_memory > 0 && routing_properties(topology, c.routing).absorbs)
    throw KeyError("routing.algorithm",
                   c.routing.algorithm + " absorbs messages on their way, and recovery.protocol " +
                       c.recovery.protocol +
                       " repairs only what arrives at its destination; set recovery.protocol none, or choose "
                       "another algorithm",
                   {"recovery.protocol"});
  if (recovery.wormhole_only && hardware.router.technique() != Switching::wormhole)
    throw KeyError("router.switching",
                   c.hardware.router.switching + ", but recovery.protocol " + c.recovery.protocol +
                       " works with wormhole only; set wormhole, or choose another recovery.protocol",
                   {"recovery.protocol"});
  check_buffers(hardware, recovery.control_length, c.hardware.router.switching,
                "choose another recovery.protocol", "recovery.protocol");
}

/// Refuses listed faults that would never strike.
void check_fault_times(const Configuration& c) {
  const std::optional<std::int64_t> end = end_of_faults(c);
  for (const FaultEvent& event : c.faults.events)
    if (end && event.cycle >= *end)
      throw KeyError(
          "faults.events",
          formatted("the fault in cycle %1% never strikes: the last cycle in which one can is "
                    "%2%; give an earlier cycle, or lengthen simulation.measure%3%",
                    event.cycle, *end - 1, c.simulation.drain ? ", or set faults.strike_in_drain" : ""),
          {"simulation.measure"});
}

}  // namespace

void settle_platform(Configuration& c) {
  const bool requests_can_wait = c.hardware.network_interface.ejection == "channel" &&
                                 !(c.faults.any() && c.recovery.protocol != "none") &&
                                 c.deadlock.recovery != "disha";
  if (!c.explicit_key("tlm.target_queue") && !requests_can_wait) c.tlm.target_queue = 0;
}

namespace {

void check_memory_of(const Configuration& c, const RoutingFunction& routing,
                     const SelectionFunction& selection) {
  try {
    check_memory(estimate_memory(c, routing, selection), memory_limit(), routing.topology());
  } catch (const KeyError& error) {
    throw NotNowError(c.located(error));
  }
}

}  // namespace

void validate_platform(const Configuration& c) try {
  if (const Arbitration rule = c.hardware.router.arbitration_rule();
      rule == Arbitration::strict || rule == Arbitration::weighted)
    throw KeyError("router.arbitration",
                   c.hardware.router.arbitration +
                       " needs classes of messages, which transactions do not have; set round-robin or "
                       "oldest-first");
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const auto vcs = c.hardware.router.virtual_channels;
  const std::unique_ptr<RoutingFunction> routing = c.tlm.separate()
                                                       ? make_virtual_networks(*topology, vcs, c.routing)
                                                       : make_routing(*topology, vcs, c.routing);
  const std::unique_ptr<SelectionFunction> selection = make_selection(*topology, c.routing);
  const HardwareParameters hardware = HardwareParameters::from(c.hardware);
  check_widths(*topology, hardware);
  check_recovery(c, *topology, hardware);  // before anything that makes the parts of a recovery protocol
  check_memory_of(c, *routing, *selection);
  if (c.tlm.target_queue > 0 && hardware.network_interface.unlimited_ejection())
    throw KeyError(
        "tlm.target_queue",
        "requests cannot wait in the network, because network_interface.ejection is unlimited; set "
        "that to channel, or tlm.target_queue to 0",
        {"network_interface.ejection", "router.preset"});
  if (c.tlm.target_queue > 0 && c.deadlock.recovery == "disha")
    throw KeyError(
        "tlm.target_queue",
        "requests cannot wait in the network with deadlock.recovery disha, because whatever is on its "
        "lane must be taken at once; set tlm.target_queue to 0",
        {"deadlock.recovery"});
  if (c.tlm.target_queue > 0 && c.faults.any() && c.recovery.protocol != "none")
    throw KeyError("tlm.target_queue",
                   "requests cannot wait in the network with recovery.protocol " + c.recovery.protocol +
                       ", because its own messages would wait with them; set tlm.target_queue to 0",
                   {"recovery.protocol"});
  if (c.tlm.target_queue > 0 && c.faults.strike_later() && routing->needs_management())
    throw KeyError(
        "tlm.target_queue",
        "requests cannot wait in the network with routing.algorithm " + c.routing.algorithm +
            " and faults during the run, because the network is emptied before its tables change; set "
            "tlm.target_queue to 0" +
            (routing_algorithms().at(c.routing.algorithm).has(kReconfigurationOption)
                 ? ", or routing.reconfiguration to immediate"
                 : ""),
        {"routing.algorithm", "routing.reconfiguration"});
  c.waves.check();
} catch (const KeyError& error) {
  throw c.located(error);
}

void validate(const Configuration& c) try {
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const MessageClasses classes = message_classes(c, *topology);
  const std::unique_ptr<RoutingFunction> routing = make_routing(*topology, classes, c);
  const std::unique_ptr<SelectionFunction> selection = make_selection(*topology, c.routing);
  const HardwareParameters hardware = HardwareParameters::from(c.hardware);
  check_widths(*topology, hardware);
  check_recovery(c, *topology, hardware);  // before anything that makes the parts of a recovery protocol
  check_memory_of(c, *routing, *selection);
  const WorkloadEntry& workload = workload_of(c.traffic);
  check_longest(c, *topology, hardware, workload.check(c, *topology, hardware));
  check_classes(workload, classes, c, *topology, hardware);
  check_fault_times(c);
  c.waves.check();
} catch (const KeyError& error) {
  throw c.located(error);
}

}  // namespace flitmend
