// SPDX-License-Identifier: Apache-2.0
#include "exploration/search/network.h"

#include <algorithm>
#include <map>
#include <utility>

#include "exploration/search/forget_history.h"
#include "testbench/traffic/listed_messages.h"

namespace flitmend {
namespace {

NodeName name_of(RouterId router, const Topology& topology) {
  NodeName name;
  if (router < topology.node_count()) {
    name.coordinates = {router};
    name.is_number = true;
  } else {
    name.router = topology.router_name(router);
  }
  return name;
}

}  // namespace

std::vector<SearchedPart> searched_parts(const Topology& topology, bool routers, bool links, bool channels) {
  std::vector<SearchedPart> parts;
  if (routers)
    for (RouterId r = 0; r < topology.router_count(); ++r) {
      FaultEvent event;
      event.node = name_of(r, topology);
      parts.push_back({{{r}}, event});
    }
  // Channels by their ends: several may join the same two routers, and faults.events names them together.
  std::map<std::pair<RouterId, RouterId>, std::vector<FaultyPart>> between;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId port = 0; port < topology.port_count(r); ++port)
      if (const auto far = topology.neighbour(r, port)) between[{r, far->router}].push_back({r, port});
  const auto add = [&](RouterId from, RouterId to, bool one_way) {
    FaultEvent event;
    event.link = LinkName{name_of(from, topology), name_of(to, topology)};
    event.one_way = one_way;
    std::vector<FaultyPart> failing = between.at({from, to});
    if (!one_way) {
      const std::vector<FaultyPart>& back = between.at({to, from});
      failing.insert(failing.end(), back.begin(), back.end());
    }
    parts.push_back({std::move(failing), event});
  };
  for (const auto& [ends, there] : between) {
    const auto [from, to] = ends;
    if (links && from < to && between.contains({to, from})) add(from, to, false);
    if (channels) add(from, to, true);
  }
  return parts;
}

bool Strike::overlaps(const Strike& other) const {
  if (other.cycle > repair || cycle > other.repair) return false;
  return std::ranges::any_of(part->parts, [&](const FaultyPart& p) {
    return std::ranges::find(other.part->parts, p) != other.part->parts.end();
  });
}

SearchedNetwork::SearchedNetwork(const Configuration& c) : network_(c, ConfiguredNetwork::Use{}) {
  network_.plan().reset();  // the search strikes itself
  lighten(scoreboard());
  fabric().clock(clock_);
  for (const SentMessage& sent : listed_messages(c.traffic, topology()))
    messages_.push_back({sent.message.cycle, sent.source, sent.message.destination, sent.message.length});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (c.deadlock.watchdog != "stop") return;
  watchdog_ = std::make_unique<DeadlockWatchdog>(fabric());
  watchdog_->look();  // takes its memory
}

bool SearchedNetwork::advance(bool every_edge, Cycle most) {
  const Cycle created = next_message_ < messages_.size() ? messages_[next_message_].cycle : kNever;
  Cycle edge = fabric().cycles();
  if (!every_edge) edge = std::max(edge, std::min(fabric().next_event(), created));
  if (edge > most || edge == kNever) return false;
  if (edge > fabric().cycles()) fabric().skip_to(edge);
  for (; next_message_ < messages_.size() && messages_[next_message_].cycle <= edge; ++next_message_) {
    const Due& due = messages_[next_message_];
    if (!fabric().context().node_dead(due.from))
      fabric().network_interface(due.from).send(due.to, due.length);
  }
  fabric().step();
  return true;
}

void SearchedNetwork::pass_to(Cycle edge) {
  fabric().skip_to(edge);
  fabric().step();
}

void SearchedNetwork::fail(const SearchedPart& part, bool permanent) {
  for (const FaultyPart& p : part.parts)
    p.is_router() ? fabric().fail_router(p.router, permanent)
                  : fabric().fail_link(p.router, p.port, true, permanent);
}

void SearchedNetwork::repair(const SearchedPart& part) {
  for (const FaultyPart& p : part.parts)
    p.is_router() ? fabric().repair_router(p.router) : fabric().repair_link(p.router, p.port, true);
}

}  // namespace flitmend
