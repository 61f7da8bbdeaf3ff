// SPDX-License-Identifier: Apache-2.0
// UTP in the Reliable Router's own surroundings: five virtual channels and its routing, on a mesh. What a
// dead router has lost goes on along another path.
#include <string>

#include "support/incidents.h"

namespace flitmend {
namespace {

constexpr NodeId kFrom = 0, kTo = 15;
#ifdef __SANITIZE_ADDRESS__
constexpr Cycle kStride = 23;
#else
constexpr Cycle kStride = 5;
#endif

HardwareSettings five_vcs() {
  HardwareSettings hardware = preset("iq");
  hardware.router.virtual_channels = 5;
  return hardware;
}
/// Routers know a fault at once, as published: restart heads go around it.
RoutingSettings reliable_router() {
  RoutingSettings routing;
  routing.algorithm = "reliable-router";
  routing.options = {{"reconfiguration", "immediate"}};
  return routing;
}

/// A 4x4 mesh with one message from corner to corner.
class OneMessage : public Incident {
 public:
  OneMessage(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(grid_network("mesh", {4, 4}), five_vcs(), reliable_router(),
                 recovery_protocols().at(protocol).make(impatient(), reliable_router()), std::move(actions),
                 number) {}

 private:
  void send_messages(Cycle t) override {
    if (t == 1) send(kFrom, kTo, 20);
  }
};

class UtpOnAMesh : public Incidents<OneMessage> {
 protected:
  /// Routers have restarted every message that was cut, and nobody has asked its sender.
  void expect_restarts_alone() {
    const Ends sum = run();
    EXPECT_EQ(sum.undeliverable + sum.lost + sum.voided, 0u);
    std::size_t cut = 0;
    for (const auto& incident : incidents()) {
      const RecoveryCounters& counters = incident->context().recovery_counters;
      cut += incident->cut();
      EXPECT_EQ(counters.retransmissions, incident->cut());
      EXPECT_EQ(counters.guard_repaired + counters.guard_spurious, 0u);
      EXPECT_EQ(counters.control_messages, 0u);
    }
    EXPECT_GT(cut, incidents().size() / 10);
  }
};

}  // namespace

TEST_P(UtpOnAMesh, AMessageGoesOnAroundARouterThatStaysDead) {
  for (Cycle cycle = 2; cycle < 70; cycle += kStride)
    for (RouterId router = kFrom + 1; router < kTo; ++router)
      add({{cycle, [router](Fabric& f) { f.fail_router(router, true); }}});
  expect_restarts_alone();
}

TEST_P(UtpOnAMesh, AMessageGoesOnAroundALinkThatStaysDead) {
  for (Cycle cycle = 2; cycle < 70; cycle += kStride)
    for (RouterId router = 0; router < kTo; ++router)
      for (const PortId port : {PortId{0}, PortId{2}})  // east and north
        if (port == 0 ? router % 4 < 3 : router < 12)
          add({{cycle, [=](Fabric& f) { f.fail_link(router, port); }}});
  expect_restarts_alone();
}

INSTANTIATE_TEST_SUITE_P(Protocol, UtpOnAMesh, testing::Values("utp"), name_of_protocol);

}  // namespace flitmend
