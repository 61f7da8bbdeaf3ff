// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/format.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/every_nth.h"
#include "support/fabric_bench.h"

namespace flitmend {

inline constexpr RouterId kFaultLine = 5;  ///< routers; a message goes from the first to the last
inline constexpr Cycle kLongestRepair = 60000;
// The sanitizers take five times as long; they see every code path with a part of the cycles.
#ifdef __SANITIZE_ADDRESS__
inline const Cycle kFaultStride = 7;
#else
inline const Cycle kFaultStride = test::every_nth(3);
#endif

/// The channels of a link that a fault hits.
enum class Ways { both, there, back };

struct Strike {
  RouterId router;
  bool link;  ///< the link from that router to the next one
  Cycle cycle;
  Ways ways = Ways::both;  ///< of a link: there is the channel to the next router, back the one from it
  Cycle duration = 0;      ///< 0: the case's; kNever: permanent
};

struct EveryFaultCase {
  const char* protocol;
  const char* preset;
  std::uint32_t length;
  Cycle duration;
  Cycle second;  ///< if not 0, the router after it fails this many cycles later
};

inline std::string name_of(const EveryFaultCase& c) {
  std::string name = (boost::format("%1%_%2%_%3%_flits_%4%_cycles_%5%") % c.protocol % c.preset % c.length %
                      c.duration % c.second)
                         .str();
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

/// What a case leaves open: the settings, and the messages, which are all created in cycle 1.
struct VictimSettings {
  RecoverySettings recovery;
  RoutingSettings routing;
  std::vector<std::pair<NodeId, NodeId>> messages = {{0, kFaultLine - 1}};  ///< from, to
};

/// What became of the messages of a line.
class VictimLog final : public MessageObserver, public PacketObserver {
 public:
  struct Fate {
    NodeId source, destination;
    std::uint32_t length;
    bool hit = false;
    unsigned delivered = 0, lost = 0, undeliverable = 0, voided = 0, corrupted = 0;
    Cycle delivered_at = kNever;
    unsigned ends() const { return delivered + lost + undeliverable + voided; }
  };
  /// By (source, id).
  std::map<std::pair<NodeId, std::uint32_t>, Fate> fates;
  struct Cut {
    NodeId source;
    Cycle cycle;
  };
  std::vector<Cut> controls_cut;  ///< control messages, in the order in which faults cut them

  /// Control messages from a node that were cut before the first message had arrived.
  unsigned controls_cut_early(NodeId source) const {
    const Cycle arrived = fates.begin()->second.delivered_at;
    return static_cast<unsigned>(std::count_if(controls_cut.begin(), controls_cut.end(), [&](const Cut& cut) {
      return cut.source == source && cut.cycle < arrived;
    }));
  }

 private:
  Fate& of(const Message& m) { return fates.at({m.source, m.id}); }
  void message_created(MessageIndex, const Message& m) override {
    const bool is_new = fates.insert({{m.source, m.id}, Fate{m.source, m.destination, m.length}}).second;
    EXPECT_TRUE(is_new) << "created twice";
  }
  void message_delivered(MessageIndex, const Message& m, NodeId at, Cycle t) override {
    ++of(m).delivered;
    of(m).delivered_at = t;
    EXPECT_EQ(at, m.destination);
  }
  void message_hit(MessageIndex, const Message& m, Cycle) override { of(m).hit = true; }
  void message_lost(MessageIndex, const Message& m, Cycle) override { ++of(m).lost; }
  void message_undeliverable(MessageIndex, const Message& m, Cycle) override { ++of(m).undeliverable; }
  void message_void(MessageIndex, const Message& m, Cycle) override { ++of(m).voided; }
  void message_corrupted(MessageIndex, const Message& m, Cycle) override { ++of(m).corrupted; }
  void packet_cut(MessageIndex, const Message& m, Cycle t) override {
    if (m.kind == MessageKind::control) controls_cut.push_back({m.source, t});
  }
};

/// A line with its messages, and the faults that strike it.
class Victim {
 public:
  /// Settings, entry and protocol must outlive it.
  Victim(const EveryFaultCase& c, const VictimSettings& settings, const RecoveryEntry& entry,
         const RecoveryProtocol& protocol, std::vector<Strike> strikes, std::size_t number)
      : strikes_(std::move(strikes)),
        case_(c),
        settings_(settings),
        may_lose_(entry.may_lose(settings.recovery, HardwareParameters::from(preset(c.preset)))),
        answers_(entry.needs.has(Mechanism::circuits) ||
                 (entry.needs.control_messages && entry.traits.overhead_on_every_message)),
        bench_(mesh_network({kFaultLine}), hardware(c), settings.routing,
               ("fabric" + std::to_string(number)).c_str(), 1, &protocol,
               TransactionParameters::one_way(4096), 1, {}, &clock_) {
    for (Strike& s : strikes_) {
      if (s.duration == 0) s.duration = c.duration;
      last_ = std::max(last_, permanent(s) ? s.cycle : s.cycle + s.duration);
      probes_due_ = probes_due_ || permanent(s);
    }
    bench_.fabric.add_observer(static_cast<MessageObserver&>(log));
    bench_.fabric.add_observer(static_cast<PacketObserver&>(log));
  }

  VictimLog log;

  /// The first half of a clock cycle: strikes, repairs, and raises the clock.
  void rise() {
    if (cycle_ == 1)
      for (const auto& [from, to] : settings_.messages) send(from, to, case_.length);
    for (const Strike& strike : strikes_) {
      if (cycle_ == strike.cycle + 1) fail(strike);
      if (!permanent(strike) && cycle_ == strike.cycle + strike.duration + 1) repair(strike);
    }
    clock_.write(true);
  }
  /// The second half. When all is quiet after a permanent fault, every node sends a message to every other.
  void fall() {
    clock_.write(false);
    idle_ = bench_.fabric.quiet() ? idle_ + 1 : 0;
    ++cycle_;
    if (probes_due_ && cycle_ > last_ + 1 && idle_ >= kLastCredits) probe();
  }
  /// Repaired, quiet, and the last credits have returned; or no more patience.
  bool over() const {
    return cycle_ > last_ + 1 && ((idle_ >= kLastCredits && !probes_due_) || cycle_ >= kLongestRepair);
  }

  const RecoveryCounters& counters() { return bench_.fabric.context().recovery_counters; }
  void check() {
    std::string text;
    for (const Strike& s : strikes_)
      text += (boost::format("%1%%2% %3%%4% in cycle %5%; ") % (permanent(s) ? "dead " : "") %
               (s.link ? "link after router" : "router") % s.router %
               (s.ways == Ways::both    ? ""
                : s.ways == Ways::there ? ", channel to the next,"
                                        : ", channel from the next,") %
               s.cycle)
                  .str();
    SCOPED_TRACE(text);
    EXPECT_TRUE(bench_.fabric.quiet());
    EXPECT_EQ(log.fates.size(), sent_);
    for (const auto& [name, fate] : log.fates) check(fate);
    EXPECT_TRUE(settings_.recovery.guard_acknowledgement == "off" || any_permanent() ||
                counters().detected_losses == counters().guard_repaired);
    const ConservationReport report = bench_.fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle()) << report.flits_in_network << " " << report.credits_missing << " "
                               << report.busy_vcs;
    const NetworkContext& context = bench_.fabric.context();
    EXPECT_EQ(context.messages.in_use(), context.copies_of_delivered);
  }

 private:
  /// Hundreds of fabrics in one program: SystemC looks for every module in the list of all when it is
  /// destroyed, so there are few.
  static HardwareParameters hardware(const EveryFaultCase& c) {
    HardwareParameters hardware = HardwareParameters::from(preset(c.preset));
    hardware.hierarchy = Hierarchy::compact;
    return hardware;
  }
  static bool permanent(const Strike& s) { return s.duration == kNever; }
  bool any_permanent() const { return std::any_of(strikes_.begin(), strikes_.end(), permanent); }
  bool node_dead(NodeId node) const {
    return std::any_of(strikes_.begin(), strikes_.end(),
                       [&](const Strike& s) { return permanent(s) && !s.link && s.router == node; });
  }
  /// Whether the permanent faults leave a route.
  bool way(NodeId from, NodeId to) const {
    const auto [left, right] = std::minmax(from, to);
    return std::none_of(strikes_.begin(), strikes_.end(), [&, l = left, r = right](const Strike& s) {
      if (!permanent(s)) return false;
      if (!s.link) return l <= s.router && s.router <= r;
      return l <= s.router && s.router < r &&
             (s.ways == Ways::both || (s.ways == Ways::there) == (from < to));
    });
  }
  void check(const VictimLog::Fate& fate) const {
    SCOPED_TRACE((boost::format("message from %1% to %2% of %3% flits%4%: delivered %5%, lost %6%, "
                                "undeliverable %7%, void %8%") %
                  fate.source % fate.destination % fate.length % (fate.hit ? ", hit" : "") % fate.delivered %
                  fate.lost % fate.undeliverable % fate.voided)
                     .str());
    EXPECT_EQ(fate.ends(), 1u);
    EXPECT_EQ(fate.corrupted, 0u);
    EXPECT_TRUE(fate.lost == 0 || (fate.hit && fate.length <= may_lose_));
    EXPECT_TRUE(fate.voided == 0 || node_dead(fate.source));
    const bool no_route =
        !way(fate.source, fate.destination) || (answers_ && !way(fate.destination, fate.source));
    EXPECT_TRUE(fate.undeliverable == 0 || (no_route && !node_dead(fate.source)));
  }
  void send(NodeId from, NodeId to, std::uint32_t length) {
    bench_.fabric.network_interface(from).send(to, length);
    ++sent_;
  }
  void probe() {
    for (NodeId from = 0; from < kFaultLine; ++from)
      for (NodeId to = 0; to < kFaultLine; ++to)
        if (from != to) send(from, to, 3);
    probes_due_ = false;
    idle_ = 0;
  }
  void fail(const Strike& s) {
    Fabric& fabric = bench_.fabric;
    if (!s.link) return fabric.fail_router(s.router, permanent(s));
    const auto [router, to] = first_channel(s);
    fabric.fail_link(router, port(router, to), s.ways != Ways::both);
  }
  void repair(const Strike& s) {
    Fabric& fabric = bench_.fabric;
    if (!s.link) return fabric.repair_router(s.router);
    const auto [router, to] = first_channel(s);
    fabric.repair_link(router, port(router, to), s.ways != Ways::both);
  }
  static std::pair<RouterId, RouterId> first_channel(const Strike& s) {
    return s.ways == Ways::back ? std::pair(s.router + 1, s.router) : std::pair(s.router, s.router + 1);
  }
  PortId port(RouterId router, RouterId to) const {
    const auto leads_there = [&](PortId port) {
      const auto far = bench_.topology().neighbour(router, port);
      return far && far->router == to;
    };
    PortId port = 0;
    while (!leads_there(port)) ++port;
    return port;
  }

  static constexpr Cycle kLastCredits = 100;
  std::vector<Strike> strikes_;
  EveryFaultCase case_;
  const VictimSettings& settings_;
  std::uint32_t may_lose_;  ///< the longest message that may be lost when a fault has hit it
  bool answers_;            ///< every message is acknowledged, so it needs a route back too
  sc_core::sc_signal<bool> clock_;
  FabricBench bench_;
  Cycle cycle_ = 0;
  Cycle last_ = 0;  ///< repair after the last strike
  Cycle idle_ = 0;  ///< cycles since the fabric became quiet
  bool probes_due_ = false;
  std::size_t sent_ = 0;
};

/// Lines with the same messages and different faults.
class Victims {
 public:
  explicit Victims(const EveryFaultCase& c, VictimSettings settings = {})
      : Victims(c, recovery_protocols().at(c.protocol), std::move(settings)) {}
  Victims(const EveryFaultCase& c, const RecoveryEntry& entry, VictimSettings settings = {})
      : case_(c),
        settings_(std::move(settings)),
        entry_(entry),
        protocol_(entry.make(settings_.recovery, settings_.routing)) {}

  void add(std::vector<Strike> strikes) {
    all_.push_back(
        std::make_unique<Victim>(case_, settings_, entry_, *protocol_, std::move(strikes), all_.size()));
  }
  std::size_t size() const { return all_.size(); }
  Victim& operator[](std::size_t i) { return *all_[i]; }

  struct Result {
    std::uint64_t resent = 0;   ///< lines on which a message was sent again
    std::uint64_t guarded = 0;  ///< messages that the guard repaired
    // Messages that were created before the faults or in them, and after them
    std::uint64_t hit = 0;
    std::uint64_t delivered = 0;
    std::uint64_t lost = 0;
    std::uint64_t undeliverable = 0;
    std::uint64_t voided = 0;
    std::uint64_t controls_cut = 0;  ///< control messages
  };
  /// Expects every message to arrive once, or what its fault and its protocol allow. One line runs after the
  /// other, so that each stays in the cache.
  Result run() {
    Result result;
    for (auto& victim : all_) {
      while (!victim->over()) {
        victim->rise();
        half_a_cycle();
        victim->fall();
        half_a_cycle();
      }
      victim->check();
      result.resent += victim->counters().retransmissions > 0;
      result.guarded += victim->counters().guard_repaired;
      result.controls_cut += victim->log.controls_cut.size();
      for (const auto& [name, fate] : victim->log.fates) {
        result.hit += fate.hit;
        result.delivered += fate.delivered;
        result.lost += fate.lost;
        result.undeliverable += fate.undeliverable;
        result.voided += fate.voided;
      }
    }
    return result;
  }

 private:
  static void half_a_cycle() { sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS)); }

  EveryFaultCase case_;
  VictimSettings settings_;
  RecoveryEntry entry_;
  std::unique_ptr<RecoveryProtocol> protocol_;
  std::vector<std::unique_ptr<Victim>> all_;
};

/// Every fault of a router or link at every cycle of the message's life, alone or with a second one at the
/// next router. Returns the cycles that were tried.
inline Cycle add_every_fault(Victims& victims, const EveryFaultCase& c) {
  const Cycle life = 60 + 2 * c.length;
  const RouterId last = c.second > 0 ? kFaultLine - 2 : kFaultLine - 1;
  for (Cycle cycle = 1; cycle <= life; cycle += kFaultStride)
    for (RouterId router = 0; router < kFaultLine; ++router)
      for (const bool link : {false, true}) {
        if (link && router >= last) continue;
        std::vector<Strike> strikes{{router, link, cycle}};
        if (c.second > 0 && router + 1 < kFaultLine) strikes.push_back({router + 1, link, cycle + c.second});
        victims.add(strikes);
      }
  return life / kFaultStride;
}

/// Both parts of a pair fail in the same cycle, at every cycle.
inline void add_pairs_at_once(Victims& victims, const EveryFaultCase& c, Cycle stride,
                              const std::vector<std::pair<Strike, Strike>>& pairs) {
  const Cycle life = 60 + 2 * c.length;
  for (Cycle cycle = 1; cycle <= life; cycle += stride * kFaultStride)
    for (auto [a, b] : pairs) {
      a.cycle = b.cycle = cycle;
      victims.add({a, b});
    }
}
/// Pairs of routers that are adjacent, or that are not.
inline std::vector<std::pair<Strike, Strike>> router_pairs(bool adjacent) {
  std::vector<std::pair<Strike, Strike>> pairs;
  for (RouterId a = 0; a < kFaultLine; ++a)
    for (RouterId b = a + 1; b < kFaultLine; ++b)
      if ((b == a + 1) == adjacent) pairs.push_back({{a, false, 0}, {b, false, 0}});
  return pairs;
}
/// Pairs of links, and of a router and a link.
inline std::vector<std::pair<Strike, Strike>> link_pairs() {
  std::vector<std::pair<Strike, Strike>> pairs;
  for (RouterId link = 0; link + 1 < kFaultLine; ++link) {
    for (RouterId b = link + 1; b + 1 < kFaultLine; ++b) pairs.push_back({{link, true, 0}, {b, true, 0}});
    for (RouterId router = 0; router < kFaultLine; ++router)
      pairs.push_back({{link, true, 0}, {router, false, 0}});
  }
  return pairs;
}

/// Router 2 fails while the message passes it, and every router at every cycle after that, until c.second
/// cycles later. Returns the number of messages.
inline unsigned add_every_second_fault(Victims& victims, const EveryFaultCase& c) {
  const Cycle first = std::string(c.preset) == "iq" ? 30 : 15;
  unsigned count = 0;
  for (Cycle later = 1; later <= c.second; later += kFaultStride)
    for (RouterId router = 0; router < kFaultLine; ++router) {
      if (router == 2 && later <= c.duration) continue;  // it is still faulty
      victims.add({{2, false, first}, {router, false, first + later}});
      ++count;
    }
  return count;
}

}  // namespace flitmend
