// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/format.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {

inline constexpr RouterId kFaultLine = 5;  ///< routers; a message goes from the first to the last
inline constexpr Cycle kLongestRepair = 60000;
// The sanitizers take five times as long; they see every code path with a part of the cycles.
#ifdef __SANITIZE_ADDRESS__
inline constexpr Cycle kFaultStride = 7;
#else
inline constexpr Cycle kFaultStride = 1;
#endif

struct Strike {
  RouterId router;
  bool link;  ///< the link from that router to the next one
  Cycle cycle;
};

struct EveryFaultCase {
  const char* protocol;
  const char* preset;
  std::uint32_t length;
  Cycle duration;
  Cycle second;  ///< if not 0, the router after it fails so many cycles later
};

inline std::string name_of(const EveryFaultCase& c) {
  std::string name = (boost::format("%1%_%2%_%3%_flits_%4%_cycles_%5%") % c.protocol % c.preset % c.length %
                      c.duration % c.second)
                         .str();
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

/// A line with one message, and the faults that strike it.
class Victim {
 public:
  Victim(const EveryFaultCase& c, const RecoveryProtocol& protocol, std::vector<Strike> strikes,
         std::size_t number)
      : strikes_(std::move(strikes)),
        case_(c),
        bench_(mesh_network({kFaultLine}), hardware(c), {}, ("fabric" + std::to_string(number)).c_str(), 1,
               &protocol, TransactionParameters::one_way(4096), 1, {}, &clock_) {
    for (const Strike& s : strikes_) last_ = std::max(last_, s.cycle + case_.duration);
  }

  /// The first half of a clock cycle: strikes, repairs, and raises the clock.
  void rise() {
    if (cycle_ == 1) bench_.fabric.network_interface(0).send(kFaultLine - 1, case_.length);
    for (const Strike& strike : strikes_) {
      if (cycle_ == strike.cycle + 1) set(strike, true);
      if (cycle_ == strike.cycle + case_.duration + 1) set(strike, false);
    }
    clock_.write(true);
  }
  void fall() {
    clock_.write(false);
    idle_ = bench_.fabric.quiet() ? idle_ + 1 : 0;
    ++cycle_;
  }
  /// Repaired, quiet, and the last credits have returned; or no more patience.
  bool over() const { return cycle_ > last_ + 1 && (idle_ >= kLastCredits || cycle_ >= kLongestRepair); }

  const RecoveryCounters& counters() { return bench_.fabric.context().recovery_counters; }
  void check() {
    std::string text;
    for (const Strike& s : strikes_)
      text += (boost::format("%1% %2% in cycle %3%; ") % (s.link ? "link after router" : "router") %
               s.router % s.cycle)
                  .str();
    SCOPED_TRACE(text);
    EXPECT_TRUE(bench_.fabric.quiet());
    EXPECT_EQ(bench_.deliveries.size(), 1u);
    const ConservationReport report = bench_.fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle()) << report.flits_in_network << " " << report.credits_missing << " "
                               << report.busy_vcs;
    EXPECT_EQ(bench_.fabric.context().messages.in_use(), 0u);
  }

 private:
  /// Hundreds of fabrics in one program: SystemC looks for every module in the list of all when it is
  /// destroyed, so there are few.
  static HardwareParameters hardware(const EveryFaultCase& c) {
    HardwareParameters hardware = HardwareParameters::from(preset(c.preset));
    hardware.hierarchy = Hierarchy::compact;
    return hardware;
  }
  void set(const Strike& s, bool fail) {
    Fabric& fabric = bench_.fabric;
    if (s.link)
      fail ? fabric.fail_link(s.router, port(s.router)) : fabric.repair_link(s.router, port(s.router));
    else
      fail ? fabric.fail_router(s.router) : fabric.repair_router(s.router);
  }
  PortId port(RouterId router) const {
    PortId port = 0;
    while (bench_.topology().neighbour(router, port)->router != router + 1) ++port;
    return port;
  }

  static constexpr Cycle kLastCredits = 100;
  std::vector<Strike> strikes_;
  EveryFaultCase case_;
  sc_core::sc_signal<bool> clock_;
  FabricBench bench_;
  Cycle cycle_ = 0;
  Cycle last_ = 0;  ///< repair after the last strike
  Cycle idle_ = 0;  ///< cycles since the fabric became quiet
};

/// Lines with the same message and different faults.
class Victims {
 public:
  explicit Victims(const EveryFaultCase& c)
      : case_(c), protocol_(recovery_protocols().at(c.protocol).make({}, {})) {}

  void add(std::vector<Strike> strikes) {
    all_.push_back(std::make_unique<Victim>(case_, *protocol_, std::move(strikes), all_.size()));
  }
  struct Result {
    std::uint64_t resent = 0;   ///< messages that were sent again
    std::uint64_t guarded = 0;  ///< of these, by the guard
  };
  /// Expects every message to arrive once. One line runs after the other, so that each stays in the cache.
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
    }
    return result;
  }

 private:
  static void half_a_cycle() { sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS)); }

  EveryFaultCase case_;
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
