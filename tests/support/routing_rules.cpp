// SPDX-License-Identifier: Apache-2.0
#include "support/routing_rules.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace flitmend {
namespace {

/// The directions of one dimension that bring a message nearer: both at a tie in a ring.
struct Productive {
  bool plus = false, minus = false;
  bool any() const { return plus || minus; }
  bool in(int sign) const { return sign > 0 ? plus : minus; }
};

/// The last hop of a path, and what was before it, in coordinates.
class Step {
 public:
  Step(const Topology& topology, const std::vector<bool>& rings, const ObservedWay& way, unsigned vcs)
      : topology_(topology), rings_(rings), way_(way), vcs_(vcs), to_(*direction(way.hops.size() - 1)) {}

  unsigned dimensions() const { return static_cast<unsigned>(topology_.dimensions()); }
  unsigned dimension() const { return to_.dimension; }
  int sign() const { return to_.sign; }
  bool goes(unsigned dimension, int sign) const { return to_.dimension == dimension && to_.sign == sign; }
  unsigned vc() const { return way_.hops.back().vc; }
  unsigned vcs() const { return vcs_; }
  std::size_t hops() const { return way_.hops.size(); }
  std::uint32_t radix(unsigned i) const { return topology_.radices()[i]; }
  bool ring(unsigned i) const { return rings_[i]; }
  bool any_ring() const { return std::find(rings_.begin(), rings_.end(), true) != rings_.end(); }

  LinkDirection direction_of(std::size_t hop) const { return *direction(hop); }
  unsigned vc_of(std::size_t hop) const { return way_.hops[hop].vc; }

  /// Of a head at a router, by default where the last hop starts.
  Productive productive(unsigned i) const { return productive(i, way_.hops.back().from); }
  Productive productive_at_source(unsigned i) const { return productive(i, way_.source); }
  unsigned lowest_unfinished() const {
    unsigned i = 0;
    while (i < dimensions() && !productive(i).any()) ++i;
    return i;
  }
  bool unfinished(int sign) const {
    bool any = false;
    for (unsigned i = 0; i < dimensions(); ++i) any |= productive(i).in(sign);
    return any;
  }

  /// Whether a message that goes on this way round a ring comes to the link between k − 1 and 0, which
  /// includes this hop.
  bool wraps_ahead() const {
    const std::uint32_t x = topology_.coordinate(way_.hops.back().from, to_.dimension);
    const std::uint32_t d = topology_.coordinate(way_.destination, to_.dimension);
    return to_.sign > 0 ? x > d : x < d;
  }
  /// Whether one of the hops in this dimension just before the last has crossed that link.
  bool has_wrapped() const {
    for (std::size_t i = way_.hops.size() - 1; i-- > 0;) {
      const LinkDirection hop = *direction(i);
      if (hop.dimension != to_.dimension) break;
      if (hop.wraps) return true;
    }
    return false;
  }

 private:
  std::optional<LinkDirection> direction(std::size_t hop) const {
    return topology_.direction(way_.hops[hop].from, way_.hops[hop].port);
  }
  Productive productive(unsigned i, NodeId at) const {
    const std::uint32_t k = topology_.radices()[i];
    const std::uint32_t x = topology_.coordinate(at, i), d = topology_.coordinate(way_.destination, i);
    if (x == d) return {};
    if (!rings_[i]) return {d > x, d < x};
    const std::uint32_t up = (d + k - x) % k, down = k - up;
    return {up <= down, down <= up};
  }

  const Topology& topology_;
  const std::vector<bool>& rings_;
  const ObservedWay& way_;
  unsigned vcs_;
  LinkDirection to_;
};

/// The class of a virtual channel if they are divided evenly: the first classes have one more where they
/// cannot be.
unsigned even_class(unsigned vc, unsigned vcs, unsigned classes) {
  unsigned i = 0;
  for (unsigned end = 0; i < classes; ++i) {
    end += vcs / classes + (i < vcs % classes);
    if (vc < end) break;
  }
  return i;
}

using Judge = std::function<std::string(const Step&)>;
using Options = OptionValues::Given;

std::string word(const Options& options, const char* key, const char* initial) {
  const auto found = options.find(key);
  return found == options.end() ? initial : std::get<std::string>(found->second);
}
unsigned number(const Options& options, const char* key, unsigned initial) {
  const auto found = options.find(key);
  return found == options.end() ? initial : static_cast<unsigned>(std::get<std::int64_t>(found->second));
}

// The definitions. Each says what may follow; East, west, north and south are +x, −x, +y and −y.

/// Hops in the lowest unfinished dimension only. In a ring class 0 before the link between k − 1 and 0 and on
/// it, class 1 after it; a message that never crosses it: by the option.
Judge dimension_order(const Options& options) {
  const std::string dateline = word(options, "dateline", "balanced");
  return [dateline](const Step& s) -> std::string {
    if (s.dimension() != s.lowest_unfinished()) return "not in the lowest unfinished dimension";
    if (!s.ring(s.dimension()) || dateline == "none") return "";
    const unsigned vc_class = even_class(s.vc(), s.vcs(), 2);
    if (s.wraps_ahead()) return vc_class == 0 ? "" : "class 1 before the dateline";
    if (s.has_wrapped() || dateline == "strict")
      return vc_class == 1 ? "" : "class 0 after the dateline, or without one";
    if (dateline != "balanced" || s.hops() < 2) return "";
    const LinkDirection before = s.direction_of(s.hops() - 2);
    const bool kept =
        before.dimension != s.dimension() || even_class(s.vc_of(s.hops() - 2), s.vcs(), 2) == vc_class;
    return kept ? "" : "another class in the same dimension";
  };
}

std::string west_first(const Step& s) {
  return s.productive(0).minus && !s.goes(0, -1) ? "not west, which is still ahead" : "";
}

std::string north_last(const Step& s) {
  const bool others = s.productive(0).any() || s.productive(1).minus;
  return s.goes(1, 1) && others ? "north before the last other hop" : "";
}

std::string negative_first(const Step& s) {
  return s.sign() > 0 && s.unfinished(-1) ? "positive before the last negative hop" : "";
}

/// Hops that set a bit first.
std::string p_cube(const Step& s) {
  return s.sign() < 0 && s.unfinished(1) ? "from 1 to 0 before the last hop from 0 to 1" : "";
}

/// Y has a class for messages to the east, 1, and one for those to the west, 0. Without hops in X at the
/// source it is drawn, and kept.
std::string double_y(const Step& s) {
  if (s.dimension() == 0) return "";
  const unsigned vc_class = even_class(s.vc(), s.vcs(), 2);
  const Productive x = s.productive_at_source(0);
  if (x.any()) return vc_class == x.plus ? "" : "in Y in the network of the other direction";
  return s.hops() < 2 || even_class(s.vc_of(s.hops() - 2), s.vcs(), 2) == vc_class
             ? ""
             : "changes between the networks";
}

/// One of two Double-Y networks, drawn at the source and kept: one with X on class 0 and Y on class 1 to the
/// east and 0 to the west, and one that is turned, with Y on class 2 and X on class 2 to the north and 1 to
/// the south.
std::string double_double_y(const Step& s) {
  const auto fits = [&](bool turned, bool plus) {
    for (std::size_t i = 0; i < s.hops(); ++i) {
      const unsigned dimension = s.direction_of(i).dimension;
      const unsigned wanted = turned ? (dimension == 1 || plus ? 2 : 1) : (dimension == 1 && plus ? 1 : 0);
      if (even_class(s.vc_of(i), s.vcs(), 3) != wanted) return false;
    }
    return true;
  };
  for (const unsigned turned : {0u, 1u}) {
    const Productive tells = s.productive_at_source(turned);
    for (const bool plus : {false, true})
      if ((!tells.any() || tells.plus == plus) && fits(turned != 0, plus)) return "";
  }
  return "in none of the networks of its direction";
}

/// A network per combination of directions in the dimensions above 0, kept from the source to the
/// destination; in those dimensions it has the channels of its directions only. On a torus each has a level
/// per number of links around the edge that the message has passed, before this hop. Rings of two nodes are
/// crossed in the + direction.
std::string linder_harden(const Step& s) {
  unsigned levels = 1, networks = 1;
  std::vector<unsigned> bit(s.dimensions());  // of the network's number, 0: none
  for (unsigned i = 0; i < s.dimensions(); ++i) {
    levels += s.ring(i);
    if (i == 0 || s.radix(i) == 1 || (s.ring(i) && s.radix(i) == 2)) continue;
    bit[i] = networks;
    networks *= 2;
  }
  const auto network_of = [&](std::size_t hop, unsigned& level) {
    const LinkDirection to = s.direction_of(hop);
    std::vector<std::pair<unsigned, unsigned>> here;  // level and network, by class
    for (unsigned l = 0; l < levels; ++l)
      for (unsigned n = 0; n < networks; ++n)
        if (bit[to.dimension] == 0 || ((n & bit[to.dimension]) != 0) == (to.sign < 0))
          here.emplace_back(l, n);
    const auto& [l, n] = here[even_class(s.vc_of(hop), s.vcs(), static_cast<unsigned>(here.size()))];
    level = l;
    return n;
  };
  unsigned level = 0, first_level = 0, wraps = 0;
  const unsigned network = network_of(s.hops() - 1, level);
  for (std::size_t i = 0; i + 1 < s.hops(); ++i) wraps += s.direction_of(i).wraps;
  if (level != wraps) return "not on the level of its hops around an edge";
  if (network != network_of(0, first_level)) return "changes between the networks";
  for (unsigned i = 0; i < s.dimensions(); ++i) {
    const Productive at_source = s.productive_at_source(i);
    // At a tie both directions are shortest: this definition takes +.
    if (bit[i] != 0 && at_source.any() && ((network & bit[i]) != 0) == at_source.plus)
      return "in a network of another direction";
  }
  return "";
}

/// Of the classes in Y, 0 only when no hops to the west are left.
std::string opt_y(const Step& s) {
  return s.dimension() == 1 && even_class(s.vc(), s.vcs(), 2) == 0 && s.productive(0).minus
             ? "on the restricted class in Y with hops to the west left"
             : "";
}

/// In the lowest unfinished dimension i, class 2; in the next one, class 0 if the message goes in the +
/// direction of i and class 1 if in the other. In dimension 0 there is only class 2.
std::string planar_adaptive(const Step& s) {
  const unsigned i = s.lowest_unfinished();
  if (s.dimension() != i && s.dimension() != i + 1) return "outside of the plane";
  if (s.dimension() == 0) return "";
  const unsigned wanted = s.dimension() == i ? 2 : s.productive(i).plus ? 0 : 1;
  return even_class(s.vc(), s.vcs(), 3) == wanted ? "" : "on the class of another role in the plane";
}

/// The escape channels, one virtual channel per class and the first ones, in dimension order only, and in a
/// ring with its classes. Others anywhere; after a terminal escape never again.
Judge duato(const Options& options) {
  const bool terminal = word(options, "escape", "returning") == "terminal";
  return [terminal](const Step& s) -> std::string {
    const unsigned escapes = s.any_ring() ? 2 : 1;
    if (s.vc() >= escapes) {
      for (std::size_t i = 0; terminal && i + 1 < s.hops(); ++i)
        if (s.vc_of(i) < escapes) return "adaptive again after a terminal escape";
      return "";
    }
    if (s.dimension() != s.lowest_unfinished()) return "escape not in dimension order";
    if (escapes == 1) return "";
    return (s.vc() == 0) == s.wraps_ahead() ? "" : "escape on the wrong side of the dateline";
  };
}

/// A reversal is a hop in a lower dimension than that before it. A hop is on the class of the number of
/// reversals, its own included; with that of r, in the lowest unfinished dimension only.
Judge dally_aoki_static(const Options& options) {
  const unsigned r = number(options, "reversals", 1);
  return [r](const Step& s) -> std::string {
    unsigned reversals = 0;
    for (std::size_t i = 1; i < s.hops(); ++i)
      reversals += s.direction_of(i).dimension < s.direction_of(i - 1).dimension;
    if (even_class(s.vc(), s.vcs(), r + 1) != reversals) return "not on the class of its reversals";
    return reversals == r && s.dimension() != s.lowest_unfinished() ? "not in order after the last reversal"
                                                                    : "";
  };
}

struct Rule {
  const char* algorithm;
  Judge (*judge)(const Options&);
};

template <std::string (*judge)(const Step&)>
Judge plain(const Options&) {
  return judge;
}

constexpr Rule kRules[] = {
    {"dimension-order", dimension_order},
    {"west-first", plain<west_first>},
    {"north-last", plain<north_last>},
    {"negative-first", plain<negative_first>},
    {"p-cube", plain<p_cube>},
    {"double-double-y", plain<double_double_y>},
    {"linder-harden", plain<linder_harden>},
    {"double-y", plain<double_y>},
    {"opt-y", plain<opt_y>},
    {"planar-adaptive", plain<planar_adaptive>},
    {"duato", duato},
    {"dally-aoki-static", dally_aoki_static},
};

/// Together with what they all have in common: a path is from the source, without a gap, and every hop brings
/// the message nearer.
class MinimalRule final : public RoutingRule {
 public:
  MinimalRule(const Topology& topology, Judge judge, unsigned vcs)
      : topology_(topology), judge_(std::move(judge)), vcs_(vcs), rings_(topology.dimensions()) {
    for (RouterId r = 0; r < topology.router_count(); ++r)
      for (PortId port = 0; port < topology.port_count(r); ++port)
        if (const auto direction = topology.direction(r, port); direction && topology.neighbour(r, port))
          if (direction->wraps) rings_[direction->dimension] = true;
  }

  std::string violation(const ObservedWay& way) const override {
    const std::size_t last = way.hops.size() - 1;
    const ObservedHop& hop = way.hops[last];
    const RouterId expected =
        last == 0 ? way.source
                  : topology_.neighbour(way.hops[last - 1].from, way.hops[last - 1].port)->router;
    if (hop.from != expected) return "not from the router that it was at";
    if (hop.vc >= vcs_) return "on no virtual channel";
    const Step step(topology_, rings_, way, vcs_);
    if (!step.productive(step.dimension()).in(step.sign())) return "away from the destination";
    return judge_(step);
  }

 private:
  const Topology& topology_;
  Judge judge_;
  unsigned vcs_;
  std::vector<bool> rings_;  ///< by dimension
};

}  // namespace

std::unique_ptr<RoutingRule> routing_rule(const Topology& topology, const RoutingSettings& settings,
                                          unsigned virtual_channels) {
  for (const Rule& rule : kRules)
    if (settings.algorithm == rule.algorithm)
      return std::make_unique<MinimalRule>(topology, rule.judge(settings.options.given()), virtual_channels);
  return nullptr;
}

std::vector<std::string> algorithms_with_rules() {
  std::vector<std::string> names;
  for (const Rule& rule : kRules) names.emplace_back(rule.algorithm);
  return names;
}

RuleWatch::RuleWatch(Fabric& fabric, std::unique_ptr<RoutingRule> rule)
    : fabric_(fabric), rule_(std::move(rule)) {
  const Topology& t = fabric.topology();
  for (RouterId r = 0; r < t.router_count(); ++r)
    for (PortId port = 0; port < t.port_count(r); ++port)
      if (const Channel* const channel = fabric.channel(r, port)) wires_.push_back({channel, r, port});
  fabric.add_observer(static_cast<MessageObserver&>(*this));
}

// A flit of the deadlock buffer's lane is on no virtual channel, and no algorithm's.
void RuleWatch::look() {
  const Cycle next = fabric_.cycles();
  for (const Wire& wire : wires_)
    if (const Flit* const flit = wire.channel->arriving(next);
        flit && is_head(flit->kind) && !wire.channel->arrives_beside_vcs(next))
      judge(flit->message, {wire.router, wire.port, flit->vc});
}

void RuleWatch::judge(MessageIndex message, const ObservedHop& hop) {
  const auto way = ways_.find(message);
  if (way == ways_.end()) return;
  ++hops_;
  way->second.hops.push_back(hop);
  const std::string wrong = rule_->violation(way->second);
  if (wrong.empty()) return;
  ++violations_;
  what_.insert(wrong);
  if (first_.empty())
    first_ = wrong + ": from " + fabric_.topology().router_name(way->second.source) + " to " +
             fabric_.topology().router_name(way->second.destination) + ", at " +
             fabric_.topology().router_name(hop.from) + "." +
             fabric_.topology().port_name(hop.from, hop.port) + ".vc" + std::to_string(hop.vc);
  ways_.erase(way);
}

}  // namespace flitmend
