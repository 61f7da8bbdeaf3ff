// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/fault_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/errors.h"
#include "base/text.h"
#include "testbench/faults/hit_phase.h"
#include "testbench/traffic/node_names.h"
#include "topologies/fault_set.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kForever = FaultPlan::kNoCycle;

RouterId router_of(const NodeName& name, const Topology& topology, const char* key) {
  const auto router = find_router(name, topology);
  if (!router)
    throw KeyError(key, no_such_node(name, topology) +
                            (topology.router_count() > topology.node_count()
                                 ? "; switches have names like " + topology.router_name(topology.node_count())
                                 : ""));
  return *router;
}

/// The channels of a link: forward and, unless one_way, backward.
std::vector<FaultyPart> link_of(const LinkName& name, bool one_way, const Topology& topology,
                                const char* key) {
  const RouterId from = router_of(name.from, topology, key), to = router_of(name.to, topology, key);
  std::vector<FaultyPart> channels;
  for (PortId port = 0; port < topology.port_count(from); ++port) {
    const auto far = topology.neighbour(from, port);
    if (!far || far->router != to) continue;
    channels.push_back({from, port});
    if (!one_way) channels.push_back({far->router, far->port});
  }
  if (channels.empty())
    throw KeyError(key, "there is no link between " + topology.router_name(from) + " and " +
                            topology.router_name(to) + " in the " + topology.description() +
                            "; name two neighbours");
  return channels;
}

std::vector<std::uint32_t> shuffled(std::uint32_t count, RandomStream random) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Each link once, as the channel from its lower-numbered router.
std::vector<FaultyPart> links_of(const Topology& topology) {
  std::vector<FaultyPart> links;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId port = 0; port < topology.port_count(r); ++port) {
      const auto far = topology.neighbour(r, port);
      if (far && std::pair(r, port) < std::pair(far->router, far->port)) links.push_back({r, port});
    }
  return links;
}

}  // namespace

std::string part_name(const FaultyPart& part, const Topology& topology) {
  return topology.router_name(part.router) +
         (part.is_router() ? "" : "." + topology.port_name(part.router, part.port));
}

FaultPlan::FaultPlan(const FaultSettings& settings, const Topology& topology, std::uint64_t seed)
    : topology_(topology) {
  for (RouterId r = 0; r < topology.router_count(); ++r) parts_.push_back({{r}});
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    first_channel_.push_back(static_cast<std::uint32_t>(parts_.size()));
    for (PortId port = 0; port < topology.port_count(r); ++port) parts_.push_back({{r, port}});
  }
  add_static_faults(settings, seed);
  permanent_ = certain_ = static_;
  add_events(settings);
  add_streams(settings, seed);
  check_aim(settings.aim);
  add_candidates(settings.aim, seed);
  for (std::uint32_t i = 0; i < streams_.size(); ++i) draw(i, kNoCycle);
}

std::uint32_t FaultPlan::index_of(const FaultyPart& part) const {
  return part.is_router() ? part.router : first_channel_[part.router] + part.port;
}

bool FaultPlan::dead(const FaultyPart& part) const {
  return parts_[index_of(part)].until == kForever;
}

// The next action may have been taken out of the queue before its cycle.
bool FaultPlan::will_be_repaired(const FaultyPart& part) const {
  const std::uint64_t until = parts_[index_of(part)].until;
  return (until != 0 && until != kForever) || (ready_ && next_.repair && next_.part == part);
}

bool FaultPlan::repairs_pending() const {
  return (ready_ && next_.repair) || std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
           return part.until != 0 && part.until != kForever;
         });
}

void FaultPlan::kill(const FaultyPart& part) {
  if (dead(part)) return;
  parts_[index_of(part)].until = kForever;
  static_.push_back(part);
}

bool FaultPlan::connected() const {
  FaultSet faults(topology_);
  for (const Part& p : parts_)
    if (dead(p.part))
      p.part.is_router() ? faults.fail_router(p.part.router)
                         : faults.fail_channel(p.part.router, p.part.port);
  std::vector<NodeId> alive;
  for (NodeId node = 0; node < topology_.node_count(); ++node)
    if (!dead({node})) alive.push_back(node);
  if (alive.empty()) return false;
  const std::vector<bool> seen = reached(faults, alive.front());
  const std::vector<bool> sees = reached(faults, alive.front(), Walk::backward);
  return std::all_of(alive.begin(), alive.end(), [&](NodeId node) { return seen[node] && sees[node]; });
}

void FaultPlan::add_static_faults(const FaultSettings& s, std::uint64_t seed) {
  for (const NodeName& name : s.static_nodes) kill({router_of(name, topology_, "faults.static_nodes")});
  for (const std::string& region : s.regions) try {
      for (const NodeId node : fault_region(region, topology_)) kill({node});
    } catch (const KeyError&) {
      throw;
    } catch (const ConfigurationError& error) {
      throw KeyError("faults.regions", error.what());
    }
  for (const LinkName& name : s.static_links)
    for (const FaultyPart& channel : link_of(name, false, topology_, "faults.static_links")) kill(channel);
  if (static_.size() >= topology_.node_count() &&
      std::all_of(parts_.begin(), parts_.begin() + topology_.node_count(),
                  [](const Part& p) { return p.until == kForever; }))
    throw KeyError(s.static_nodes.empty() ? "faults.regions" : "faults.static_nodes",
                   formatted("all %1% nodes are dead; leave at least one", topology_.node_count()),
                   {"faults.regions"});
  add_random_nodes(s.random_static_nodes, seed);
  add_random_links(s.random_static_links, seed);
}

void FaultPlan::add_random_nodes(std::int64_t count, std::uint64_t seed) {
  std::int64_t left = count;
  if (left == 0) return;
  if (count >= topology_.node_count())
    throw KeyError("faults.random_static_nodes",
                   formatted("the %1% has only %2% nodes; leave at least one alive", topology_.description(),
                             topology_.node_count()));
  for (const NodeId node :
       shuffled(topology_.node_count(), RandomStream(seed, RandomPurpose::static_faults, 0))) {
    if (dead({node})) continue;
    const std::uint64_t before = std::exchange(parts_[node].until, kForever);
    if (!connected()) {
      parts_[node].until = before;
      continue;
    }
    static_.push_back({node});
    if (--left == 0) return;
  }
  throw KeyError(
      "faults.random_static_nodes",
      formatted("%1% dead %2% leave the rest of the %3% connected; %4% could be placed with this seed; lower "
                "it, or choose another simulation.seed",
                count, count == 1 ? "node does not" : "nodes do not", topology_.description(), count - left));
}

void FaultPlan::add_random_links(std::int64_t count, std::uint64_t seed) {
  std::int64_t left = count;
  if (left == 0) return;
  const std::vector<FaultyPart> links = links_of(topology_);
  if (static_cast<std::size_t>(count) > links.size())
    throw KeyError("faults.random_static_links",
                   formatted("the %1% has only %2% links; lower it", topology_.description(), links.size()));
  for (const std::uint32_t i : shuffled(static_cast<std::uint32_t>(links.size()),
                                        RandomStream(seed, RandomPurpose::static_faults, 1))) {
    const FaultyPart there = links[i];
    const auto far = *topology_.neighbour(there.router, there.port);
    const FaultyPart back{far.router, far.port};
    if (dead(there) || dead(back) || dead({there.router}) || dead({back.router})) continue;
    parts_[index_of(there)].until = parts_[index_of(back)].until = kForever;
    if (!connected()) {
      parts_[index_of(there)].until = parts_[index_of(back)].until = 0;
      continue;
    }
    static_.push_back(there);
    static_.push_back(back);
    if (--left == 0) return;
  }
  throw KeyError(
      "faults.random_static_links",
      formatted("%1% dead %2% leave the %3% connected; %4% could be placed with this seed; lower it, or "
                "choose another simulation.seed",
                count, count == 1 ? "link does not" : "links do not", topology_.description(), count - left));
}

void FaultPlan::add_events(const FaultSettings& s) {
  std::vector<Pending> listed;
  for (const FaultEvent& event : s.events) {
    const auto cycle = static_cast<std::uint64_t>(event.cycle);
    const std::uint64_t duration =
        event.duration.cycles ? static_cast<std::uint64_t>(*event.duration.cycles) : kForever;
    const std::vector<FaultyPart> hit =
        event.node ? std::vector<FaultyPart>{{router_of(*event.node, topology_, "faults.events")}}
                   : link_of(*event.link, event.one_way, topology_, "faults.events");
    for (const FaultyPart& part : hit) {
      if (dead(part))
        throw KeyError("faults.events", formatted("%1% is dead from the start; remove its event in cycle %2%",
                                                  part_name(part, topology_), cycle));
      if (duration == kForever) permanent_.push_back(part);
      certain_.push_back(part);
      listed.push_back({cycle, false, index_of(part), duration, kNoStream});
    }
  }
  std::sort(listed.begin(), listed.end(), [](const Pending& a, const Pending& b) {
    return std::pair(a.part, a.cycle) < std::pair(b.part, b.cycle);
  });
  for (std::size_t i = 0; i < listed.size(); ++i) {
    pending_.push(listed[i]);
    if (i == 0 || listed[i].part != listed[i - 1].part) continue;
    const Pending& before = listed[i - 1];
    if (before.duration == kForever || before.cycle + before.duration >= listed[i].cycle)
      throw KeyError("faults.events", formatted("two faults of %1% overlap: the one in cycle %2% is not over "
                                                "before cycle %3%; join them, or shorten the first",
                                                part_name(parts_[before.part].part, topology_), before.cycle,
                                                listed[i].cycle));
  }
}

void FaultPlan::add_streams(const FaultSettings& s, std::uint64_t seed) {
  drawn_duration_ = s.duration.cycles ? static_cast<std::uint64_t>(*s.duration.cycles) : kForever;
  drawn_at_once_ = s.at_once;
  if (s.node_rate > 0)
    for (NodeId node = 0; node < topology_.node_count(); ++node)
      streams_.push_back({RandomStream(seed, RandomPurpose::node_faults, node), s.node_rate, {node}});
  if (s.link_rate > 0) {
    std::uint32_t number = 0;
    for (const FaultyPart& link : links_of(topology_)) {
      const auto far = *topology_.neighbour(link.router, link.port);
      streams_.push_back({RandomStream(seed, RandomPurpose::link_faults, number++),
                          s.link_rate,
                          {index_of(link), index_of({far.router, far.port})}});
    }
  }
  for (const Stream& stream : streams_)
    for (const std::uint32_t part : stream.parts) {
      parts_[part].drawn = true;
      to_strike_ += parts_[part].until != kForever;
    }
}

void FaultPlan::check_aim(const AimSettings& aim) const {
  const auto check = [](const char* key, const std::vector<std::string>& phases) {
    for (const std::string& phase : phases)
      if (!hit_phase_named(phase))
        throw KeyError(key, shown_value(phase) + " is not a phase; use " + hit_phase_names());
  };
  check("faults.aim.phases", aim.phases);
  check("faults.aim.then", aim.then);
  if ((aim.rate > 0) == !aim.phases.empty()) return;
  throw aim.rate > 0
      ? KeyError("faults.aim.phases", "faults.aim.rate needs phases; use " + hit_phase_names(),
                 {"faults.aim.rate"})
      : KeyError("faults.aim.rate", "faults.aim.phases needs a rate above 0; set it, or remove the phases",
                 {"faults.aim.phases"});
}

void FaultPlan::add_candidates(const AimSettings& aim, std::uint64_t seed) {
  aim_ = aim;
  aimed_from_ = static_cast<std::uint64_t>(aim.from);
  if (aim.rate <= 0) return;
  std::vector<Group> groups;
  if (aim.part == "node")
    for (NodeId node = 0; node < topology_.node_count(); ++node) groups.push_back({node});
  else
    for (const FaultyPart& link : links_of(topology_)) {
      const auto far = *topology_.neighbour(link.router, link.port);
      groups.push_back({index_of(link), index_of({far.router, far.port})});
    }
  for (std::uint32_t i = 0; i < groups.size(); ++i)
    streams_.push_back({RandomStream(seed, RandomPurpose::aimed_faults, i), aim.rate, groups[i], true});
}

FaultPlan::Group FaultPlan::draw_neighbour(const Group& parts, RandomStream& random) const {
  const FaultyPart from = parts_[parts.front()].part;
  std::vector<std::vector<std::uint32_t>> choices;
  for (PortId port = 0; port < topology_.port_count(from.router); ++port) {
    const auto far = topology_.neighbour(from.router, port);
    if (!far || port == from.port) continue;
    if (from.is_router())
      choices.push_back({far->router});
    else
      choices.push_back({index_of({from.router, port}), index_of({far->router, far->port})});
  }
  if (choices.empty()) return parts;
  return choices[random.below(static_cast<std::uint32_t>(choices.size()))];
}

// The first draw is after "cycle −1": it may strike in cycle 0.
void FaultPlan::draw(std::uint32_t stream, std::uint64_t after) {
  Stream& s = streams_[stream];
  if (!s.candidates && to_strike_ == 0) return;
  const std::uint64_t cycle = after + s.random.geometric(s.rate);
  if (s.candidates) {
    pending_.push({cycle, false, s.parts.front(), 0, stream});
    return;
  }
  for (const std::uint32_t part : s.parts)
    pending_.push({cycle, false, part, drawn_duration_, part == s.parts.back() ? stream : kNoStream});
  Group parts = s.parts;
  for (std::int64_t more = 1; more < drawn_at_once_; ++more) {
    parts = draw_neighbour(parts, s.random);
    for (const std::uint32_t part : parts) pending_.push({cycle, false, part, drawn_duration_, kNoStream});
  }
}

void FaultPlan::prepare_candidate(const Pending& now) {
  candidate_.clear();
  if (aim_.most > 0 && aimed_strikes_ >= aim_.most) return;  // and it draws no more
  Stream& s = streams_[now.stream];
  bool healthy = true;
  Group group = s.parts;
  for (std::int64_t i = 0; i < aim_.at_once; ++i) {
    if (i > 0) group = draw_neighbour(group, s.random);
    candidate_.emplace_back();
    for (const std::uint32_t part : group) {
      candidate_.back().push_back(parts_[part].part);
      healthy &= parts_[part].until == 0;
    }
  }
  draw(now.stream, now.cycle);
  if (!healthy || now.cycle < aimed_from_) candidate_.clear();
}

void FaultPlan::strike() {
  const std::uint64_t duration =
      aim_.duration.cycles ? static_cast<std::uint64_t>(*aim_.duration.cycles) : kForever;
  for (const std::vector<FaultyPart>& group : candidate_)
    for (const FaultyPart& part : group)
      pending_.push({next_.cycle, false, index_of(part), duration, kNoStream});
  ++aimed_strikes_;
  aimed_from_ = next_.cycle + static_cast<std::uint64_t>(aim_.apart) + 1;
}

void FaultPlan::advance(std::uint64_t horizon) {
  while (!ready_ && !pending_.empty() && pending_.top().cycle <= horizon) {
    const Pending now = pending_.top();
    if (!now.repair && now.cycle >= strikes_end_) {  // and all later strikes; repairs may follow
      pending_.pop();
      continue;
    }
    pending_.pop();
    if (now.stream != kNoStream && streams_[now.stream].candidates) {
      prepare_candidate(now);
      next_ = {now.cycle, parts_[now.part].part, false, false, true};
      ready_ = true;
      continue;
    }
    Part& part = parts_[now.part];
    if (now.repair) {
      if (part.until == kForever) continue;
      if (part.until > now.cycle) {
        pending_.push({part.until, true, now.part, 0, kNoStream});
        continue;
      }
      part.until = 0;
      next_ = {now.cycle, part.part, true, false};
      ready_ = true;
      continue;
    }
    if (now.stream != kNoStream) draw(now.stream, now.cycle);
    if (part.until == kForever) continue;
    const bool permanent = now.duration == kForever;
    const bool healthy = part.until == 0;
    if (permanent && part.drawn) --to_strike_;
    part.until = permanent ? kForever : std::max(part.until, now.cycle + now.duration);
    if (healthy && !permanent) pending_.push({part.until, true, now.part, 0, kNoStream});
    if (!healthy && !permanent) continue;
    next_ = {now.cycle, part.part, false, permanent};
    ready_ = true;
  }
}

std::uint64_t FaultPlan::next_cycle(std::uint64_t horizon) {
  advance(horizon);
  return ready_ ? next_.cycle : pending_.empty() ? kNoCycle : horizon;
}

FaultAction FaultPlan::take() {
  next_cycle();
  ready_ = false;
  return next_;
}

}  // namespace flitmend
