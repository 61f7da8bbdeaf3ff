// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "protocols/recovery/registry.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "testbench/configuration/address_ranges.h"
#include "testbench/configuration/harmful_options.h"
#include "testbench/configuration/loader.h"
#include "testbench/faults/fault_plan.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// The usual algorithm of a topology for which the default one is not defined.
void choose_routing(Configuration& c, const Topology& topology) {
  if (c.explicit_key("routing.algorithm") ||
      routing_algorithms().at(c.routing.algorithm).applies_to(topology))
    return;
  const std::vector<RoutingEntry>& all = routing_algorithms().entries();
  const auto fitting =
      std::find_if(all.begin(), all.end(), [&](const RoutingEntry& e) { return e.applies_to(topology); });
  if (fitting != all.end()) c.routing.algorithm = fitting->name;
}

bool has_own_latencies(const Topology& t) {
  for (RouterId r = 0; r < t.router_count(); ++r)
    for (PortId p = 0; p < t.port_count(r); ++p)
      if (t.link_latency(r, p) > 0) return true;
  return false;
}

/// Whether the algorithm decides by which virtual channels are free. With cut-through too, a free one that is
/// not empty may have no room for the message, which would wait for it although the algorithm forbids that.
bool needs_empty_vcs(const Configuration& c, const Topology& topology, const RoutingProperties& needs) {
  const auto vcs = c.hardware.router.virtual_channels;
  return needs.atomic_vc_reallocation && vcs >= needs.virtual_channels &&
         make_routing(topology, vcs, c.routing)->looks_at_outputs();
}

/// Says why the algorithm needs router.vc_reallocation atomic: because of its options, or always.
[[noreturn]] void refuse_reallocation(const Configuration& c, const Topology& topology,
                                      bool looks_at_outputs) {
  const std::string options = harmful_options(
      c.routing, topology, false, [](const RoutingProperties& p) { return p.atomic_vc_reallocation; });
  throw KeyError("router.vc_reallocation",
                 c.hardware.router.vc_reallocation + ", but with " + c.hardware.router.switching +
                     " switching " +
                     (c.hardware.router.needs_whole_room() && !looks_at_outputs
                          ? "and recovery.protocol " + c.recovery.protocol + ", "
                          : "") +
                     (options.empty() ? "routing.algorithm " + c.routing.algorithm : options) +
                     " is free of deadlock only with atomic; set atomic, or remove " +
                     (options.empty() ? "the key" : "one of these keys"));
}

/// What the routing algorithm and the recovery protocol need of the router overrides the preset, but not an
/// explicit key.
void meet_needs(Configuration& c, const Topology& topology) {
  RouterSettings& router = c.hardware.router;
  const RoutingProperties needs = routing_properties(topology, c.routing);
  if (!c.explicit_key("router.virtual_channels"))
    router.virtual_channels = std::max(router.virtual_channels, needs.virtual_channels);
  const bool looks_at_outputs = needs_empty_vcs(c, topology, needs);
  const bool whole_packets =
      router.needs_whole_room() && !spreads_packets(recovery_protocols().at(c.recovery.protocol).needs);
  // Heads that go back wait for no channel, and data in front of them have a complete path.
  const bool needs_atomic =
      needs.atomic_vc_reallocation && !router.heads_go_back() && (!whole_packets || looks_at_outputs);
  if (needs_atomic && router.vc_reallocation != "atomic") {
    if (c.explicit_key("router.vc_reallocation")) refuse_reallocation(c, topology, looks_at_outputs);
    router.vc_reallocation = "atomic";
  }
  if (recovery_protocols().at(c.recovery.protocol).atomic_reallocation &&
      router.vc_reallocation != "atomic") {
    if (c.explicit_key("router.vc_reallocation"))
      throw KeyError(
          "router.vc_reallocation",
          router.vc_reallocation + ", but recovery.protocol " + c.recovery.protocol +
              " needs atomic: its kill signals name virtual channels, which must have flits of one "
              "message only; set atomic, or remove the key");
    router.vc_reallocation = "atomic";
  }
  if (c.deadlock.recovery == "disha" && router.switching == "wormhole" &&
      router.vc_reallocation != "atomic") {
    if (c.explicit_key("router.vc_reallocation"))
      throw KeyError(
          "router.vc_reallocation",
          router.vc_reallocation +
              ", but with wormhole switching deadlock.recovery disha needs atomic: a head that waits "
              "behind another message in a buffer could not leave it; set atomic, or remove the key");
    router.vc_reallocation = "atomic";
  }
  // Refuses too few virtual channels, and a selection function that is not used.
  make_routing(topology, router.virtual_channels, c.routing);
  make_selection(topology, c.routing);
  const bool links_are_equal =
      !has_own_latencies(topology) && !narrowest_link(topology, c.hardware.link.flit_bits());
  if (!recovery_protocols().at(c.recovery.protocol).unequal_links && !links_are_equal) {
    std::string others;
    for (const RecoveryEntry& e : recovery_protocols().entries())
      if (e.unequal_links) others += (others.empty() ? "" : ", ") + std::string(e.name);
    throw KeyError(
        "recovery.protocol",
        c.recovery.protocol +
            ", but links of network.graph have a latency or width of their own, and the protocol's "
            "hardware is sized for links that are all alike; use one of " +
            others + ", or remove these latencies and widths",
        {"network.graph", "link.flit_bytes"});
  }
  if (c.hardware.network_interface.injection_limit != "none" &&
      recovery_protocols().at(c.recovery.protocol).needs.has(Mechanism::circuits))
    throw KeyError("network_interface.injection_limit",
                   c.hardware.network_interface.injection_limit + ", but recovery.protocol " +
                       c.recovery.protocol +
                       " holds whole paths until they are acknowledged, so that it limits injection itself; "
                       "set none",
                   {"recovery.protocol"});
}

}  // namespace

void settle(Configuration& c) try {
  c.network.complete();
  c.routing.hop_cycles = {c.hardware.router.pipeline.sum(), c.hardware.link.latency,
                          c.hardware.link.flit_bits()};
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  choose_routing(c, *topology);
  meet_needs(c, *topology);
  c.waves.check_window();
  if (!c.tlm.address_map.empty())  // refuses ranges that cannot be
    AddressMap(1, topology->node_count(), address_ranges(c.tlm.address_map, *topology));
  if (c.deadlock.recovery == "compressionless") {
    if (c.explicit_key("deadlock.watchdog") && c.deadlock.watchdog != "off")
      throw KeyError("deadlock.watchdog",
                     c.deadlock.watchdog +
                         ", but with deadlock.recovery compressionless the watchdog is off; "
                         "set off, or remove the key");
    c.deadlock.watchdog = "off";
  }
  if (c.deadlock.recovery == "disha" && c.deadlock.watchdog == "stop") {
    if (c.explicit_key("deadlock.watchdog"))
      throw KeyError("deadlock.watchdog",
                     "stop, but deadlock.recovery disha ends deadlocks; set count or off, or remove the key");
    c.deadlock.watchdog = "count";
  }
  if (c.faults.any() || !c.faults.aim.phases.empty())
    FaultPlan(c.faults, *topology, static_cast<std::uint64_t>(c.simulation.seed));
} catch (const KeyError& error) {
  throw c.located(error);
}

}  // namespace flitmend
