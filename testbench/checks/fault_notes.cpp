// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/fault_notes.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "protocols/deadlock/route_checks.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "testbench/faults/fault_plan.h"
#include "testbench/workloads/workload.h"
#include "topologies/fault_set.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

constexpr NodeId kMostCounted = 4096;  // nodes up to which all pairs are counted

std::vector<NodeId> living(const Topology& topology, const FaultSet& faults) {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < topology.node_count(); ++node)
    if (!faults.router_faulty(node)) nodes.push_back(node);
  return nodes;
}

bool all_of(const std::vector<NodeId>& nodes, const std::vector<bool>& seen) {
  for (const NodeId node : nodes)
    if (!seen[node]) return false;
  return true;
}

std::string pairs_without_path(const Topology& topology, const FaultSet& faults) {
  const std::vector<NodeId> nodes = living(topology, faults);
  if (nodes.empty() ||
      (all_of(nodes, reached(faults, nodes[0])) && all_of(nodes, reached(faults, nodes[0], Walk::backward))))
    return "";
  if (topology.node_count() > kMostCounted) return "some pairs of living nodes are";
  std::uint64_t pairs = 0;
  std::string first;
  for (const NodeId from : nodes) {
    const std::vector<bool> seen = reached(faults, from);
    for (const NodeId to : nodes) {
      if (seen[to]) continue;
      if (pairs++ == 0)
        first = ", the first from " + topology.router_name(from) + " to " + topology.router_name(to) + ",";
    }
  }
  return formatted("%1% of %2% pairs of living nodes%3% are", pairs, nodes.size() * (nodes.size() - 1),
                   first);
}

FaultSet set_of(const Topology& topology, const std::vector<FaultyPart>& parts) {
  FaultSet faults(topology);
  for (const FaultyPart& part : parts)
    part.is_router() ? faults.fail_router(part.router) : faults.fail_channel(part.router, part.port);
  return faults;
}

FaultSet listed_permanent_faults(const Configuration& c, const Topology& topology) {
  const FaultPlan plan(c.faults, topology, static_cast<std::uint64_t>(c.simulation.seed));
  return set_of(topology, plan.listed_permanent_faults());
}

/// Why no packet is ever in this phase; empty if one can be.
std::string why_never(const Configuration& c, const std::string& phase) {
  const RecoveryEntry& recovery = recovery_protocols().at(c.recovery.protocol);
  const std::string protocol = "recovery.protocol " + c.recovery.protocol;
  if (phase == "control" && !recovery.needs.control_messages) return protocol + " sends no control messages";
  if (phase == "retransmission" && !recovery.traits.resends()) return protocol + " sends nothing again";
  const bool single_flits = workload_of(c.traffic).single_flits(c.traffic);
  if ((phase == "body" || phase == "tail") && single_flits && c.recovery.protocol == "none")
    return "a message of one flit has no " + phase;
  return "";
}

/// Why no packet is ever in any of these phases; empty if one can be.
std::string why_none_occurs(const Configuration& c, const std::vector<std::string>& phases) {
  std::vector<std::string> reasons;
  for (const std::string& phase : phases) {
    const std::string why = why_never(c, phase);
    if (why.empty()) return "";
    if (std::find(reasons.begin(), reasons.end(), why) == reasons.end()) reasons.push_back(why);
  }
  return joined(reasons, "; ");
}

/// The same for faults.aim.phases. An absorbed message was cut by a fault, of the aim or another one.
std::string why_first_never(const Configuration& c) {
  const FaultSettings& faults = c.faults;
  const std::string absorption = "absorption";
  const bool cuts = faults.node_rate > 0 || faults.link_rate > 0 || !faults.events.empty();
  std::vector<std::string> others = faults.aim.phases;
  std::erase(others, absorption);
  if (others.size() == faults.aim.phases.size()) return why_none_occurs(c, others);
  if (cuts && !faults.aim.first_hit) return "";
  const std::string why =
      cuts ? "first_hit leaves out what a fault has cut" : "no other fault cuts what could be absorbed";
  if (others.empty()) return why;
  const std::string rest = why_none_occurs(c, others);
  return rest.empty() ? "" : why + "; " + rest;
}

}  // namespace

std::optional<std::int64_t> end_of_faults(const Configuration& c) {
  const SimulationSettings& s = c.simulation;
  if (workload_of(c.traffic).to_its_end || (s.drain && c.faults.strike_in_drain)) return std::nullopt;
  const std::int64_t end = s.warmup + s.measure;
  return s.max_cycles > 0 ? std::min(end, s.max_cycles) : end;
}

std::string aim_note(const Configuration& c) {
  const AimSettings& aim = c.faults.aim;
  if (aim.rate <= 0) return "";
  if (const auto end = end_of_faults(c); end && aim.from >= *end)
    return formatted(
        "faults.aim never strikes: faults.aim.from is cycle %1%, and no fault strikes after cycle %2%",
        aim.from, *end - 1);
  if (const std::string why = why_first_never(c); !why.empty()) return "faults.aim never strikes: " + why;
  const std::string later = aim.then.empty() ? "" : why_none_occurs(c, aim.then);
  return later.empty() ? "" : "faults.aim.then never applies: " + later;
}

std::string disconnection_note(const Configuration& c) {
  if (!c.faults.any()) return "";
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const std::string pairs = pairs_without_path(*topology, listed_permanent_faults(c, *topology));
  return pairs.empty() ? ""
                       : pairs +
                             " cut off from each other by permanent faults; messages between them are "
                             "undeliverable";
}

std::string disabled_note(const Configuration& c) {
  if (!c.faults.any()) return "";
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const auto disabled = routing_properties(*topology, c.routing).disabled;
  if (!disabled) return "";
  constexpr std::uint64_t kMostNamed = 8;
  std::uint64_t count = 0;
  std::string names;
  const std::vector<bool> nodes = disabled(listed_permanent_faults(c, *topology));
  for (NodeId node = 0; node < topology->node_count(); ++node)
    if (nodes[node] && ++count <= kMostNamed) names += (count > 1 ? ", " : "") + topology->router_name(node);
  if (count == 0) return "";
  return c.routing.algorithm + " takes " + counted(count, "healthy node") + " out of use (" + names +
         (count > kMostNamed ? ", ..." : "") + "); messages from and to them are undeliverable";
}

std::string unrouted_note(const Configuration& c) {
  if (!c.faults.any()) return "";
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const NodeId nodes = topology->node_count();
  const FaultSet faults =
      set_of(*topology,
             FaultPlan(c.faults, *topology, static_cast<std::uint64_t>(c.simulation.seed)).static_faults());
  if (faults.count() == 0 || nodes > kMostRoutedNodes) return "";
  const auto routing = make_routing(*topology, c.hardware.router.virtual_channels, c.routing);
  routing->set_seed(static_cast<std::uint64_t>(c.simulation.seed));
  routing->update_faults(faults);
  const auto disabled = routing_properties(*topology, c.routing).disabled;
  const std::vector<bool> unused = disabled ? disabled(faults) : std::vector<bool>(nodes);
  const ChannelMap channels(*routing);
  constexpr std::size_t kMostStates = 30'000, kMostInAll = 6'000'000;
  StateExplorer explorer(*routing, channels, &faults, kMostStates);
  std::size_t states = 0;
  PointOrder order;
  RouteChecks checks;
  std::uint64_t connected = 0, cut_off = 0;  // pairs in use, and others that the checks contain
  for (NodeId to = 0; to < nodes; ++to) {
    if (faults.router_faulty(to)) continue;
    const std::vector<bool> reaches = reached(faults, to, Walk::backward);
    for (NodeId from = 0; from < nodes; ++from) {
      if (from == to || faults.router_faulty(from)) continue;
      const bool in_use = reaches[from] && !unused[from] && !unused[to];
      ++(in_use ? connected : cut_off);
    }
    const StateGraph& graph = explorer.explore(to);
    states += graph.states.size();
    if (!explorer.complete() || states > kMostInAll)
      return "pairs of healthy nodes that have no route because of the faults from the start are not "
             "counted: with " +
             c.routing.algorithm +
             " on this network that would take minutes; their messages are undeliverable";
    order.find(graph);
    add_route_checks(graph, order, routing->randomised(), checks);
  }
  const std::uint64_t without = checks.without_route - cut_off;
  if (without + checks.can_strand == 0) return "";
  return formatted(
      "with those from the start, of %1% pairs of healthy nodes that are connected %2% have no "
      "route, and %3% can reach a router where they have no candidate; %4%",
      connected, without, checks.can_strand,
      c.hardware.router.heads_go_back()
          ? "heads go back from there, but messages without a route are undeliverable"
          : "such messages are undeliverable");
}

// Algorithms that promise to tolerate faults route by the whole set of them (RoutingFunction::update_faults).
bool routes_change(const Configuration& c) {
  if (!c.faults.strike_later()) return false;
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  // One that absorbs messages looks at its own ports only.
  const RoutingProperties properties = routing_properties(*topology, c.routing);
  if (properties.tolerated_faults == 0 || properties.absorbs) return false;
  // A management step changes the tables of an empty network.
  return !make_routing(*topology, c.hardware.router.virtual_channels, c.routing)->needs_management();
}

std::string changing_routes_note(const Configuration& c) {
  if (!routes_change(c) || !routing_algorithms().at(c.routing.algorithm).has(kReconfigurationOption))
    return "";
  return c.routing.algorithm +
         " routes by the set of all faults. Messages that are under way when it changes have been routed by "
         "the old set and continue by the new one; no proof covers that, and they can deadlock. "
         "routing.reconfiguration: drain prevents such a deadlock, and recovery.protocol fcr ends it";
}

std::string fault_notes(const Configuration& c) {
  if (!c.faults.any()) return "";
  const std::string cut = disconnection_note(c);
  const std::string disabled = disabled_note(c);
  const std::string blocked =
      routing_properties(*make_topology(c.network), c.routing).absorbs
          ? "A message whose next hop is faulty is absorbed and injected again.\n"
      : c.hardware.router.heads_go_back()
          ? "A head goes back from dead ports and tries others; if a search meets nothing else, its message "
            "is "
            "dropped.\n"
          : "A head with no usable route waits " +
                counted(static_cast<std::uint64_t>(c.routing.head_wait_cycles), "cycle") +
                " (routing.head_wait_cycles); then its message is dropped, or sent again if "
                "recovery.protocol does that.\n";
  return "Faults: the answer above is for the network without faults. " + blocked +
         (cut.empty() ? "" : "Faults: " + cut + ".\n") +
         (disabled.empty() ? "" : "Faults: " + disabled + ".\n");
}

}  // namespace flitmend
