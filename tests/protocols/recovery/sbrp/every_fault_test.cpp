// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life: before the head,
// under it, in the middle, under the tail, at the source and at the destination.
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
namespace {

constexpr RouterId kRouters = 5;
constexpr Cycle kEnd = 60000;
// The sanitizers take five times as long; they see every code path with a part of the cycles.
#ifdef __SANITIZE_ADDRESS__
constexpr Cycle kStride = 7;
#else
constexpr Cycle kStride = 1;
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

std::string name_of(const EveryFaultCase& c) {
  std::string name = (boost::format("%1%_%2%_%3%_flits_%4%_cycles_%5%") % c.protocol % c.preset % c.length %
                      c.duration % c.second)
                         .str();
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

class Victim {
 public:
  Victim(const EveryFaultCase& c, const RecoveryProtocol& protocol, std::vector<Strike> strikes,
         std::size_t number)
      : strikes_(std::move(strikes)),
        case_(c),
        bench_(mesh_network({kRouters}), preset(c.preset), {}, ("fabric" + std::to_string(number)).c_str(), 1,
               &protocol) {}

  void start() { bench_.fabric.network_interface(0).send(kRouters - 1, case_.length); }
  void step(Cycle t) {
    for (const Strike& strike : strikes_) {
      if (t == strike.cycle) set(strike, true);
      if (t == strike.cycle + case_.duration) set(strike, false);
    }
  }
  bool quiet() const { return bench_.fabric.quiet(); }
  const RecoveryCounters& counters() { return bench_.fabric.context().recovery_counters; }
  void check() {
    std::string text;
    for (const Strike& s : strikes_)
      text += (boost::format("%1% %2% in cycle %3%; ") % (s.link ? "link after router" : "router") %
               s.router % s.cycle)
                  .str();
    SCOPED_TRACE(text);
    EXPECT_TRUE(quiet());
    EXPECT_EQ(bench_.deliveries.size(), 1u);
    const ConservationReport report = bench_.fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle()) << report.flits_in_network << " " << report.credits_missing << " "
                               << report.busy_vcs;
    EXPECT_EQ(bench_.fabric.context().messages.in_use(), 0u);
    if (std::string(case_.protocol) != "sbrp-2") {
      EXPECT_EQ(counters().guard_repaired, 0u);
    }
  }

 private:
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

  std::vector<Strike> strikes_;
  EveryFaultCase case_;
  FabricBench bench_;
};

class Victims {
 public:
  explicit Victims(const EveryFaultCase& c)
      : case_(c), protocol_(recovery_protocols().at(c.protocol).make({}, {})) {}

  void add(std::vector<Strike> strikes) {
    for (const Strike& s : strikes) last_ = std::max(last_, s.cycle + case_.duration);
    all_.push_back(std::make_unique<Victim>(case_, *protocol_, std::move(strikes), all_.size()));
  }
  /// Expects every message to arrive once. Returns how many were sent again and, of those, how many by the
  /// guard.
  std::pair<std::uint64_t, std::uint64_t> run() {
    cycles(1);
    for (auto& victim : all_) victim->start();
    Cycle t = 0;
    for (; t <= last_; ++t) {
      for (auto& victim : all_) victim->step(t);
      cycles(1);
    }
    for (; t < kEnd && busy(); t += 50) cycles(50);
    cycles(50);
    std::uint64_t resent = 0, guarded = 0;
    for (auto& victim : all_) {
      victim->check();
      resent += victim->counters().retransmissions > 0;
      guarded += victim->counters().guard_repaired;
    }
    return {resent, guarded};
  }

 private:
  static void cycles(unsigned count) { sc_core::sc_start(sc_core::sc_time(count, sc_core::SC_NS)); }
  bool busy() const {
    return !std::all_of(all_.begin(), all_.end(), [](const auto& victim) { return victim->quiet(); });
  }

  EveryFaultCase case_;
  std::unique_ptr<RecoveryProtocol> protocol_;
  std::vector<std::unique_ptr<Victim>> all_;
  Cycle last_ = 0;
};

class EveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle life = 60 + 2 * c.length;
  const RouterId last = c.second > 0 ? kRouters - 2 : kRouters - 1;
  for (Cycle cycle = 1; cycle <= life; cycle += kStride)
    for (RouterId router = 0; router < kRouters; ++router)
      for (const bool link : {false, true}) {
        if (link && router >= last) continue;
        std::vector<Strike> strikes{{router, link, cycle}};
        if (c.second > 0 && router + 1 < kRouters) strikes.push_back({router + 1, link, cycle + c.second});
        victims.add(strikes);
      }
  const auto [resent, guarded] = victims.run();
  EXPECT_GT(resent, life / kStride);
  if (std::string(c.protocol) == "sbrp-2") {
    EXPECT_GT(guarded, 0u) << "lost heads";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sbrp, EveryFault,
    testing::Values(EveryFaultCase{"sbrp-0", "iq", 16, 10, 0}, EveryFaultCase{"sbrp-0", "sbrp", 12, 10, 0},
                    EveryFaultCase{"sbrp-0", "sbrp", 12, 1, 0}, EveryFaultCase{"sbrp-0", "iq", 30, 10, 7},
                    EveryFaultCase{"sbrp-1", "iq", 16, 10, 0}, EveryFaultCase{"sbrp-1", "sbrp", 12, 10, 0},
                    EveryFaultCase{"sbrp-1", "sbrp", 12, 1, 0}, EveryFaultCase{"sbrp-1", "iq", 16, 60, 0},
                    EveryFaultCase{"sbrp-1", "iq", 30, 10, 7}, EveryFaultCase{"sbrp-1", "sbrp", 20, 10, 3},
                    EveryFaultCase{"sbrp-2", "iq", 16, 10, 0}, EveryFaultCase{"sbrp-2", "sbrp", 12, 10, 0},
                    EveryFaultCase{"sbrp-2", "iq", 30, 10, 7}),
    [](const auto& c) { return name_of(c.param); });

/// The second fault hits the request, its acknowledgement, what is absorbed or what is sent again.
class EverySecondFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EverySecondFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  Victims victims(c);
  const Cycle first = std::string(c.preset) == "iq" ? 30 : 15;
  unsigned count = 0;
  for (Cycle later = 1; later <= c.second; later += kStride)
    for (RouterId router = 0; router < kRouters; ++router) {
      if (router == 2 && later <= c.duration) continue;  // it is still faulty
      victims.add({{2, false, first}, {router, false, first + later}});
      ++count;
    }
  EXPECT_EQ(victims.run().first, count);
}

INSTANTIATE_TEST_SUITE_P(Sbrp, EverySecondFault,
                         testing::Values(EveryFaultCase{"sbrp-0", "iq", 30, 10, 180},
                                         EveryFaultCase{"sbrp-0", "sbrp", 20, 10, 150},
                                         EveryFaultCase{"sbrp-1", "iq", 30, 10, 180},
                                         EveryFaultCase{"sbrp-1", "sbrp", 20, 10, 150},
                                         EveryFaultCase{"sbrp-2", "iq", 30, 10, 180}),
                         [](const auto& c) { return name_of(c.param); });

}  // namespace
}  // namespace flitmend
