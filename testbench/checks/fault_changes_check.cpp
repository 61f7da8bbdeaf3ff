// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/fault_changes_check.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/text.h"
#include "protocols/deadlock/fault_changes.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "rtl_tlm/fabric/routed_faults.h"
#include "testbench/checks/class_check.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/configuration/writer.h"
#include "testbench/faults/fault_plan.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

/// Route computations up to which the check is made: some seconds.
constexpr std::uint64_t kMostWork = 20'000'000;

/// The sets of faults of a configuration, with a routing function for each.
class Sets {
 public:
  Sets(const Configuration& c, const Topology& topology)
      : c_(c), topology_(topology), hardware_(HardwareParameters::from(c.hardware)) {
    hardware_.equip(recovery_protocols().at(c.recovery.protocol).needs);
    FaultPlan plan(c.faults, topology, static_cast<std::uint64_t>(c.simulation.seed));
    FaultSet faults(topology);
    for (const FaultyPart& part : plan.static_faults()) fail(faults, part);
    add(faults, faults.count() > 0 ? "the faults from the start" : "none faulty");
    c.faults.drawn() ? add_single(faults) : add_listed(std::move(faults), plan);
  }

  std::size_t size() const { return sets_.size(); }
  const std::string& name(std::size_t set) const { return sets_[set].name; }
  std::vector<RoutedFaults> routed() const {
    std::vector<RoutedFaults> all;
    for (const Set& set : sets_) all.push_back({set.faults.get(), set.routing.get()});
    return all;
  }

 private:
  struct Set {
    std::unique_ptr<FaultSet> faults;
    std::unique_ptr<RoutingFunction> routing;
    std::string name;
  };

  static void fail(FaultSet& faults, const FaultyPart& part) {
    part.is_router() ? faults.fail_router(part.router) : faults.fail_channel(part.router, part.port);
  }
  static void repair(FaultSet& faults, const FaultyPart& part) {
    part.is_router() ? faults.repair_router(part.router) : faults.repair_channel(part.router, part.port);
  }
  void add(const FaultSet& faults, std::string name) {
    auto routing = make_routing(topology_, c_.hardware.router.virtual_channels, c_.routing);
    routing->set_seed(static_cast<std::uint64_t>(c_.simulation.seed));
    sets_.push_back({std::make_unique<FaultSet>(faults), std::move(routing), std::move(name)});
    sets_.back().routing->update_faults(routed_faults(faults, hardware_));
  }
  void add_listed(FaultSet faults, FaultPlan& plan) {
    while (plan.next_cycle() != FaultPlan::kNoCycle) {
      const std::uint64_t cycle = plan.next_cycle();
      while (plan.next_cycle() == cycle) {
        const FaultAction action = plan.take();
        action.repair ? repair(faults, action.part) : fail(faults, action.part);
      }
      add(faults, formatted("the faults from cycle %1% on", cycle + 1));
    }
  }
  void add_single(const FaultSet& from_the_start) {
    const bool nodes = c_.faults.node_rate > 0 || (c_.faults.aim.rate > 0 && c_.faults.aim.part == "node");
    const bool links = c_.faults.link_rate > 0 || (c_.faults.aim.rate > 0 && c_.faults.aim.part == "link");
    for (RouterId r = 0; r < topology_.router_count(); ++r) {
      if (nodes && !from_the_start.router_faulty(r)) {
        FaultSet faults = from_the_start;
        faults.fail_router(r);
        add(faults, topology_.router_name(r) + " faulty");
      }
      for (PortId port = 0; links && port < topology_.port_count(r); ++port) {
        const auto far = topology_.neighbour(r, port);
        if (!far || std::pair(far->router, far->port) < std::pair(r, port) || from_the_start.blocked(r, port))
          continue;
        FaultSet faults = from_the_start;
        faults.fail_link(r, port);
        add(faults,
            "the link " + topology_.router_name(r) + " - " + topology_.router_name(far->router) + " faulty");
      }
    }
  }

  const Configuration& c_;
  const Topology& topology_;
  HardwareParameters hardware_;
  std::vector<Set> sets_;
};

FaultChangesCheck answer(FaultChangeAnswer answer, ExitStatus status, std::string verdict,
                         std::string details = "") {
  return {answer, {.status = status, .verdict = std::move(verdict), .details = std::move(details)}};
}

bool ends_deadlocks(const Configuration& c) {
  return c.recovery.protocol == "fcr";
}

FaultChangesCheck not_proved(const Configuration& c, const std::string& why) {
  return answer(FaultChangeAnswer::not_proved, ends_deadlocks(c) ? ExitStatus::done : ExitStatus::unproved,
                c.routing.algorithm +
                    " is not proved free of deadlock when the set of faults changes under messages in "
                    "flight: " +
                    why + "; " + fault_change_outcome(c));
}

/// The number of sets that a configuration has, without making them.
std::uint64_t count_sets(const Configuration& c, const Topology& topology) {
  if (!c.faults.drawn()) return 1 + 2 * c.faults.events.size();
  return 1 + topology.router_count() + topology.channel_count() / 2;
}

}  // namespace

const char* to_string(FaultChangeAnswer answer) {
  switch (answer) {
    case FaultChangeAnswer::none:
      return "no changes";
    case FaultChangeAnswer::fixed_routes:
      return "nothing needed";
    case FaultChangeAnswer::drains:
      return "drains first";
    case FaultChangeAnswer::proved:
      return "proved";
    case FaultChangeAnswer::can_deadlock:
      return "can deadlock";
    case FaultChangeAnswer::not_proved:
      return "not proved";
  }
  return "";
}

std::string fault_change_outcome(const Configuration& c) {
  if (ends_deadlocks(c)) return "recovery.protocol fcr ends a deadlock (recovery.timeout)";
  if (c.deadlock.watchdog == "off")
    return "deadlock.watchdog is off, so such a run ends only with simulation.max_cycles";
  return c.deadlock.watchdog == "count"
             ? "the watchdog counts such a deadlock; if it lasts, it ends the drain with exit status 4"
             : "the watchdog ends a run with such a deadlock, with exit status 4";
}

std::string fault_changes_note(const Configuration& c, ProofListener* listener) {
  if (!routes_change(c)) return "";
  const FaultChangesCheck changes = check_fault_changes(c, listener);
  if (changes.answer == FaultChangeAnswer::proved) return "";
  if (changes.check.status == ExitStatus::deadlock && c.deadlock.watchdog == "off")
    throw KeyError("deadlock.watchdog",
                   changes.check.verdict +
                       "; nothing was run. Set it to stop, or routing.reconfiguration to drain; "
                       "--allow-deadlock, or allow_deadlock: true in a sweep, runs the network as it is",
                   {"routing.reconfiguration", "routing.algorithm"});
  return changes.check.verdict;
}

std::string fault_changes_key(const Configuration& c) {
  Configuration part = c;
  part.traffic = {};
  part.simulation = {};
  if (c.faults.random_static_nodes + c.faults.random_static_links > 0)
    part.simulation.seed = c.simulation.seed;
  part.statistics = {};
  part.waves = {};
  part.tlm = {};
  return to_yaml(std::move(part));
}

namespace {

FaultChangesCheck changes_of_network(const Configuration& c, ProofListener* listener) {
  if (!c.faults.strike_later()) return {};
  const std::string& algorithm = c.routing.algorithm;
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const auto routing = make_routing(*topology, c.hardware.router.virtual_channels, c.routing);
  if (routing->needs_management())
    return answer(FaultChangeAnswer::drains, ExitStatus::done,
                  "before " + algorithm +
                      " gets new tables, the sources stop and the network drains: no message meets the "
                      "routes of two sets of faults");
  if (!routes_change(c))
    return answer(FaultChangeAnswer::fixed_routes, ExitStatus::done,
                  algorithm +
                      " does not route by the set of faults, so nothing is needed when it changes under "
                      "messages in flight: a router looks at its own ports alone");
  if (!routing_algorithms().at(algorithm).has(kReconfigurationOption))
    return answer(FaultChangeAnswer::proved, ExitStatus::done,
                  algorithm +
                      " stays free of deadlock when the set of faults changes under messages in flight, and "
                      "nothing is needed: its channels have the same order whatever the faults are");
  if (routing_properties(*topology, c.routing).vector_wires > 0)
    return not_proved(c, "while routers exchange vectors, some have new ones and others old ones");
  const ChannelMap channels(*routing);
  const std::uint64_t count = count_sets(c, *topology);
  const std::uint64_t in_each = std::uint64_t{topology->node_count()} * channels.size();
  if (count * in_each * (c.faults.drawn() ? 1 : count) > kMostWork)
    return not_proved(c, formatted("to go through %1% sets on this network would take minutes", count));
  const Sets sets(c, *topology);
  DeadlockOptions options = deadlock_options(c);
  options.listener = listener;
  const FaultChangeAnalysis a = analyse_fault_changes(sets.routed(), !c.faults.drawn(), options);
  if (a.verdict == DeadlockVerdict::can_deadlock)
    return answer(
        FaultChangeAnswer::can_deadlock, ends_deadlocks(c) ? ExitStatus::done : ExitStatus::deadlock,
        algorithm +
            " can deadlock when the set of faults changes under messages in flight: they have taken "
            "routes by earlier sets, and go on by a new one (" +
            sets.name(a.set) + "); " + fault_change_outcome(c),
        describe(a.deadlock, *topology, channels));
  const bool atomic = options.cut_through || c.hardware.router.vc_reallocation == "atomic";
  if (a.verdict == DeadlockVerdict::not_proved)
    return not_proved(c, formatted("no argument covers the routes of %1% sets together", sets.size()));
  if (a.needs_atomic_reallocation && !atomic)
    return not_proved(c, "the proof needs router.vc_reallocation: atomic");
  const std::string proof =
      a.argument == DeadlockArgument::dependency_graph ? "the dependencies of channels have no cycle"
      : a.argument == DeadlockArgument::escape_channels
          ? "the dependencies of escape channels have no cycle, and escapes lead on from everywhere"
          : "no messages that hold one channel each can block each other";
  if (c.faults.drawn())
    return not_proved(c,
                      formatted("it is while one part at a time is faulty (%1% sets; %2%), but several can "
                                "be",
                                sets.size(), proof));
  return answer(
      FaultChangeAnswer::proved, ExitStatus::done,
      formatted("%1% stays free of deadlock when the set of faults changes under messages in flight, "
                "and nothing is needed: in the routes of all %2% sets together %3%",
                algorithm, sets.size(), proof));
}

}  // namespace

FaultChangesCheck check_fault_changes(const Configuration& c, ProofListener* listener) {
  const std::vector<NetworkKind> networks = network_kinds(c);
  std::vector<DeadlockCheck> checks;
  FaultChangesCheck all;
  for (const NetworkKind& network : networks) {
    const FaultChangesCheck one = changes_of_network(network.configuration, listener);
    checks.push_back(one.check);
    // can_deadlock is the worst answer, then not_proved.
    if (one.answer == FaultChangeAnswer::can_deadlock ||
        (all.answer != FaultChangeAnswer::can_deadlock && all.answer != FaultChangeAnswer::not_proved))
      all.answer = one.answer;
  }
  all.check = together(networks, checks);
  return all;
}

}  // namespace flitmend
