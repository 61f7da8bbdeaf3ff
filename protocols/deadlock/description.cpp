// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.h"
#include "protocols/deadlock/checker.h"

namespace flitmend {
namespace {

std::string names(const std::vector<ChannelId>& list, const ChannelMap& channels, const char* between) {
  std::string text;
  for (ChannelId c : list) text += (text.empty() ? "" : between) + channels.name(c);
  return text;
}

std::string pairs(const std::vector<RouteChecks::Pair>& list, std::size_t count, const Topology& t) {
  std::string text;
  for (const auto& [source, destination] : list)
    text += (text.empty() ? "" : ", ") + t.router_name(source) + " -> " + t.router_name(destination);
  return count > list.size() ? text + ", ..." : text;
}

std::string route_lines(const RouteChecks& r, const Topology& t, const ChannelMap& channels) {
  std::string text;
  if (r.without_route)
    text += formatted("routes: %d of %d pairs have no route: %s\n", r.without_route, r.pairs,
                      pairs(r.without_route_examples, r.without_route, t));
  if (r.can_strand)
    text +=
        formatted("routes: messages of %d of %d pairs can reach a router where they have no candidate: %s\n",
                  r.can_strand, r.pairs, pairs(r.can_strand_examples, r.can_strand, t));
  if (!r.livelock.empty())
    text += "livelock: a message to " + t.router_name(r.livelock_destination) +
            " can circulate forever through " + names(r.livelock, channels, " -> ") + "\n";
  if (r.sound()) text += formatted("routes: all %d pairs arrive, whichever candidates are chosen\n", r.pairs);
  return text;
}

}  // namespace

std::string describe(const std::vector<BlockedMessage>& deadlock, const Topology& t,
                     const ChannelMap& channels) {
  std::string text;
  for (const BlockedMessage& m : deadlock)
    text +=
        "  a message to " + t.router_name(m.destination) + " holds " + names(m.holds, channels, ", ") +
        (m.wants.empty() ? ", where it has no candidate" : ", waits for " + names(m.wants, channels, ", ")) +
        "\n";
  return text;
}

std::string describe(const DeadlockAnalysis& a, const RoutingFunction& routing, const ChannelMap& channels) {
  const Topology& t = routing.topology();
  std::string text = formatted("deadlock: %s (%s)\n", to_string(a.verdict), to_string(a.argument));
  if (a.needs_atomic_reallocation) text += "this proof needs router.vc_reallocation: atomic\n";
  text += formatted("channel dependency graph: %d channels, %d dependencies, ", a.channels, a.dependencies);
  text += a.cycle.empty() ? "no cycle\n"
                          : formatted("a shortest cycle has %d channels: ", a.cycle.size()) +
                                names(a.cycle, channels, " -> ") + "\n";
  if (a.escape) {
    text += formatted("escape channels: %d, ", a.escape->channels);
    text += a.escape->cycle.empty() ? formatted("every dependency leads downwards in an order of %d ranks",
                                                *std::max_element(a.ranks.begin(), a.ranks.end()))
                                    : "cycle of dependencies: " + names(a.escape->cycle, channels, " -> ");
    text += a.escape->connected ? "\n" : "; they do not lead to the destination from every state\n";
  }
  if (a.wormhole_blocked) text += formatted("wormhole fixpoint: %d states\n", *a.wormhole_blocked);
  if (a.cut_through_blocked) text += formatted("cut-through fixpoint: %d states\n", *a.cut_through_blocked);
  return text + describe(a.deadlock, t, channels) + route_lines(a.routes, t, channels);
}

}  // namespace flitmend
