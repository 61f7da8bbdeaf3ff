// SPDX-License-Identifier: Apache-2.0
// One message, and every fault of a router or link of its path at every cycle of its life: before the head,
// under it, in the middle, under the tail, at the source and at the destination.
#include <gtest/gtest.h>

#include <boost/format.hpp>
#include <memory>
#include <string>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

constexpr RouterId kRouters = 5;
constexpr Cycle kEnd = 60000;

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
  Victim(const EveryFaultCase& c, const RecoveryProtocol& protocol, const Strike& strike, unsigned number)
      : strike_(strike),
        case_(c),
        bench_(mesh_network({kRouters}), preset(c.preset), {}, ("fabric" + std::to_string(number)).c_str(), 1,
               &protocol) {}

  void start() { bench_.fabric.network_interface(0).send(kRouters - 1, case_.length); }
  void step(Cycle t) {
    set(strike_.router, t, strike_.cycle);
    if (case_.second > 0 && strike_.router + 1 < kRouters)
      set(strike_.router + 1, t, strike_.cycle + case_.second);
  }
  bool quiet() const { return bench_.fabric.quiet(); }
  const RecoveryCounters& counters() { return bench_.fabric.context().recovery_counters; }
  void check() {
    SCOPED_TRACE(boost::format("%1% %2% in cycle %3%") % (strike_.link ? "link after router" : "router") %
                 strike_.router % strike_.cycle);
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
  void set(RouterId router, Cycle t, Cycle from) {
    if (t == from)
      strike_.link ? bench_.fabric.fail_link(router, port(router)) : bench_.fabric.fail_router(router);
    if (t == from + case_.duration)
      strike_.link ? bench_.fabric.repair_link(router, port(router)) : bench_.fabric.repair_router(router);
  }
  PortId port(RouterId router) const {
    PortId port = 0;
    while (bench_.topology().neighbour(router, port)->router != router + 1) ++port;
    return port;
  }

  Strike strike_;
  EveryFaultCase case_;
  FabricBench bench_;
};

class EveryFault : public testing::TestWithParam<EveryFaultCase> {};

TEST_P(EveryFault, IsRepaired) {
  const EveryFaultCase& c = GetParam();
  RoutingSettings routing;
  const auto protocol = recovery_protocols().at(c.protocol).make({}, routing);
  std::vector<std::unique_ptr<Victim>> victims;
  const Cycle life = 60 + 2 * c.length;
  for (Cycle cycle = 1; cycle <= life; ++cycle)
    for (RouterId router = 0; router < kRouters; ++router)
      for (const bool link : {false, true}) {
        const RouterId last = c.second > 0 ? kRouters - 2 : kRouters - 1;
        if (link && router >= last) continue;
        victims.push_back(std::make_unique<Victim>(c, *protocol, Strike{router, link, cycle},
                                                   static_cast<unsigned>(victims.size())));
      }
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  for (auto& victim : victims) victim->start();
  const auto busy = [&] {
    for (const auto& victim : victims)
      if (!victim->quiet()) return true;
    return false;
  };
  Cycle t = 0;
  for (; t <= life + c.second + c.duration; ++t) {
    for (auto& victim : victims) victim->step(t);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  }
  for (; t < kEnd && busy(); t += 50) sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_NS));
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_NS));
  std::uint64_t resent = 0, guarded = 0;
  for (auto& victim : victims) {
    victim->check();
    resent += victim->counters().retransmissions;
    guarded += victim->counters().guard_repaired;
  }
  EXPECT_GT(resent, life);
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

}  // namespace
}  // namespace flitmend
