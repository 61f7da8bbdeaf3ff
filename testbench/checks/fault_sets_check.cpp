// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/fault_sets_check.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/text.h"
#include "protocols/deadlock/checker.h"
#include "protocols/deadlock/mirrors.h"
#include "protocols/routing/registry.h"
#include "testbench/checks/class_check.h"
#include "testbench/faults/fault_plan.h"
#include "topologies/fault_set.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

/// A node or a link.
struct Part {
  RouterId router;
  PortId port = kWhole;
  static constexpr PortId kWhole = 0xffff;
  friend auto operator<=>(const Part&, const Part&) = default;
};

using PartSet = std::vector<Part>;

/// A link by its end with the lower number (of two ends at one router: by the lower port).
Part link_part(const Topology& t, RouterId router, PortId port) {
  const RouterPort far = *t.neighbour(router, port);
  return std::min(Part{router, port}, Part{far.router, far.port});
}

/// Every link once.
PartSet link_parts(const Topology& t) {
  PartSet links;
  for (RouterId router = 0; router < t.router_count(); ++router)
    for (PortId port = 0; port < t.port_count(router); ++port)
      if (t.neighbour(router, port) && link_part(t, router, port) == Part{router, port})
        links.push_back({router, port});
  return links;
}

std::vector<PartSet> part_sets(const Topology& t, FaultSets kind) {
  const PartSet links = link_parts(t);
  std::vector<PartSet> sets;
  if (kind == FaultSets::single) {
    for (RouterId router = 0; router < t.router_count(); ++router) sets.push_back({{router}});
    for (const Part& link : links) sets.push_back({link});
    return sets;
  }
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t j = i + 1; j < links.size(); ++j) sets.push_back({links[i], links[j]});
  return sets;
}

/// By set: the number of the first set of which it is a mirror image, its own number if there is none before
/// it.
std::vector<std::size_t> first_images(const Topology& t, const std::vector<PartSet>& sets,
                                      const std::vector<GridMirror>& mirrors) {
  std::map<PartSet, std::size_t> number;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    PartSet sorted = sets[i];
    std::sort(sorted.begin(), sorted.end());
    number[sorted] = i;
  }
  std::vector<std::size_t> first(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) first[i] = i;
  // The images of a set in one mirror after the other are all its images, as mirrors commute.
  for (const GridMirror& mirror : mirrors) {
    std::vector<std::size_t> with = first;
    for (const auto& [set, i] : number) {
      PartSet image;
      for (const Part& part : set)
        image.push_back(part.port == Part::kWhole
                            ? Part{mirror.router(part.router)}
                            : link_part(t, mirror.router(part.router), mirror.port(part.port)));
      std::sort(image.begin(), image.end());
      with[i] = std::min(with[i], first[number.at(image)]);
    }
    first = std::move(with);
  }
  return first;
}

FaultSet faults_of(const Topology& t, const PartSet& set) {
  FaultSet faults(t);
  for (const Part& part : set)
    part.port == Part::kWhole ? faults.fail_router(part.router) : faults.fail_link(part.router, part.port);
  return faults;
}

std::string part_name(const Topology& t, const Part& part) {
  if (part.port == Part::kWhole) return t.router_name(part.router);
  return "the link " + t.router_name(part.router) + " - " +
         t.router_name(t.neighbour(part.router, part.port)->router);
}

std::string part_names(const Topology& t, const PartSet& set) {
  std::string text;
  for (const Part& part : set) text += (text.empty() ? "" : " and ") + part_name(t, part);
  return text;
}

struct SetOutcome {
  DeadlockVerdict verdict = DeadlockVerdict::not_proved;
  bool needs_atomic = false;
  bool livelock = false;
  std::uint64_t connected = 0;  ///< pairs of healthy nodes with a path between them
  std::uint64_t without_route = 0;
  std::uint64_t can_strand = 0;  ///< pairs with a route, and with a choice that ends without a candidate

  bool free(bool atomic) const {
    return verdict == DeadlockVerdict::free && (atomic || !needs_atomic) && !livelock;
  }
};

bool reallocates_atomically(const Configuration& c) {
  return deadlock_options(c).cut_through || c.hardware.router.vc_reallocation == "atomic";
}

class Checker {
 public:
  explicit Checker(const Configuration& c)
      : c_(c), topology_(make_topology(c.network)), options_(deadlock_options(c)) {}
  const Topology& topology() const { return *topology_; }
  std::vector<GridMirror> mirrors() const { return mirrors_of(*routing_with(FaultSet(*topology_))); }

  SetOutcome outcome(const FaultSet& faults, ProofListener* listener = nullptr) const {
    const auto routing = routing_with(faults);
    const DeadlockAnalysis a = analysis(*routing, faults, listener, true);
    SetOutcome o{.verdict = a.verdict,
                 .needs_atomic = a.needs_atomic_reallocation,
                 .livelock = !a.routes.livelock.empty(),
                 .can_strand = a.routes.can_strand};
    for (NodeId from = 0; from < topology_->node_count(); ++from) {
      if (faults.router_faulty(from)) continue;
      const std::vector<bool> seen = reached(faults, from);
      for (NodeId to = 0; to < topology_->node_count(); ++to)
        o.connected += to != from && !faults.router_faulty(to) && seen[to];
    }
    o.without_route = a.routes.without_route - (a.routes.pairs - o.connected);
    return o;
  }
  std::string details(const PartSet& set) const {
    const FaultSet faults = faults_of(*topology_, set);
    const auto routing = routing_with(faults);
    return describe(analysis(*routing, faults, nullptr, false), *routing, ChannelMap(*routing));
  }

 private:
  std::unique_ptr<RoutingFunction> routing_with(const FaultSet& faults) const {
    auto routing = make_routing(*topology_, c_.hardware.router.virtual_channels, c_.routing);
    routing->update_faults(faults);
    return routing;
  }
  DeadlockAnalysis analysis(const RoutingFunction& routing, const FaultSet& faults, ProofListener* listener,
                            bool brief) const {
    DeadlockOptions options = options_;
    options.brief = brief;
    options.faults = &faults;
    options.listener = listener;
    return analyse_deadlock(routing, ChannelMap(routing), options);
  }

  const Configuration& c_;
  std::unique_ptr<Topology> topology_;
  DeadlockOptions options_;
};

const char* kind_text(FaultSets kind) {
  return kind == FaultSets::single ? "every node and every link faulty alone" : "every two links faulty";
}

}  // namespace

DeadlockCheck check_fault_sets(const Configuration& c, FaultSets kind, ProofListener* listener) {
  if (c.hardware.router.switching == "pipelined-circuit")
    throw KeyError("router.switching",
                   "pipelined-circuit has no sets of faults to check: it works without faults, or with "
                   "router.busy backtrack, whose heads wait for no channel and search around the faults "
                   "that they find; use another technique");
  const Checker checker(c);
  const Topology& t = checker.topology();
  const std::vector<PartSet> sets = part_sets(t, kind);
  if (sets.empty())
    throw ConfigurationError("--faults double-links: " + with_article(t.description()) +
                             " has no two links, so there is nothing to check; use --faults single");
  std::vector<SetOutcome> outcomes(sets.size());
  const std::vector<std::size_t> first_image = first_images(t, sets, checker.mirrors());
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (first_image[i] == i) distinct.push_back(i);
  if (listener) listener->begin_step("sets of faults");
  SurveyProgress progress(listener, distinct.size());
  parallel_for(0, distinct.size(), [&](std::size_t i) {
    outcomes[distinct[i]] = checker.outcome(faults_of(t, sets[distinct[i]]));
    progress.add(1);
  });
  for (std::size_t i = 0; i < sets.size(); ++i) outcomes[i] = outcomes[first_image[i]];

  const bool atomic = reallocates_atomically(c);
  const auto free = [&](const SetOutcome& o) { return o.free(atomic); };
  std::size_t whole = 0, worst = 0, first = sets.size(), not_free = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const SetOutcome& o = outcomes[i];
    const auto lost = [](const SetOutcome& of) { return of.without_route + of.can_strand; };
    whole += lost(o) == 0;
    if (lost(o) > lost(outcomes[worst])) worst = i;
    if (free(o)) continue;
    ++not_free;
    first = std::min(first, i);
  }
  DeadlockCheck check;
  const std::string what = c.routing.algorithm + " on " + with_article(t.description()) + ", " +
                           kind_text(kind) + " (" + counted(sets.size(), "set") + ")";
  check.verdict = what + ": " +
                  (not_free == 0 ? std::string("free of deadlock and livelock")
                                 : "not proved free of deadlock with " + counted(not_free, "set") +
                                       ", the first: " + part_names(t, sets[first]));
  check.details = formatted(
      "routes: with %1% of %2% sets every connected pair arrives, whichever "
      "candidates are chosen\n",
      whole, sets.size());
  if (whole < sets.size())
    check.details += formatted(
        "most pairs are hit with %1%: of %2% connected pairs %3% have no route, %4% can reach "
        "a router where they have no candidate\n",
        part_names(t, sets[worst]), outcomes[worst].connected, outcomes[worst].without_route,
        outcomes[worst].can_strand);
  if (not_free == 0) return check;
  check.status =
      outcomes[first].verdict == DeadlockVerdict::can_deadlock ? ExitStatus::deadlock : ExitStatus::unproved;
  check.details += "\nwith " + part_names(t, sets[first]) + ":\n" + checker.details(sets[first]);
  return check;
}

namespace {

std::string static_faults_of(const Configuration& c, ProofListener* listener) {
  const Checker checker(c);
  const FaultPlan plan(c.faults, checker.topology(), static_cast<std::uint64_t>(c.simulation.seed));
  if (plan.static_faults().empty()) return "";
  FaultSet faults(checker.topology());
  for (const FaultyPart& part : plan.static_faults())
    part.is_router() ? faults.fail_router(part.router) : faults.fail_channel(part.router, part.port);
  const SetOutcome o = checker.outcome(faults, listener);
  std::string text = std::string("With the faults from the start: ") +
                     (o.free(reallocates_atomically(c)) ? "free of deadlock and livelock"
                      : o.verdict == DeadlockVerdict::can_deadlock
                          ? "messages can block each other, or one waits where it has no candidate"
                          : "not proved free of deadlock") +
                     ".\n";
  if (o.without_route + o.can_strand == 0)
    return text + formatted(
                      "With them all %1% pairs of healthy nodes that are connected have a route, "
                      "whichever candidates are chosen.\n",
                      o.connected);
  return text + formatted(
                    "With them, of %1% pairs of healthy nodes that are connected %2% have no route, and "
                    "%3% can reach a router where they have no candidate%4%.\n",
                    o.connected, o.without_route, o.can_strand,
                    c.hardware.router.heads_go_back() ? ", from where heads go back" : "");
}

}  // namespace

std::string static_faults_text(const Configuration& c, ProofListener* listener) {
  const std::vector<NetworkKind> networks = network_kinds(c);
  std::vector<DeadlockCheck> checks;
  for (const NetworkKind& network : networks)
    checks.push_back({.verdict = "", .details = static_faults_of(network.configuration, listener)});
  return together(networks, checks).details;
}

}  // namespace flitmend
