// SPDX-License-Identifier: Apache-2.0
// When senders stop trying: whom the permanent faults cut off, and the limit of the user.
#include "protocols/recovery/retry_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"
#include "support/line_bench.h"

namespace flitmend {
namespace {

std::unique_ptr<RecoveryProtocol> protocol(const std::string& name, std::int64_t retry_limit = 0) {
  RecoverySettings s;
  s.retry_limit = retry_limit;
  return recovery_protocols().at(name).make(s, {});
}

struct RetryLine : LineBench {
  explicit RetryLine(const std::string& name, std::int64_t retry_limit = 0)
      : LineBench(flitmend::protocol(name, retry_limit), preset("iq")) {}
  const NetworkContext& context() const { return fabric.context(); }
};

TEST(Connected, ByWhatIsNotPermanentlyFaulty) {
  RetryLine line("none");
  EXPECT_TRUE(connected(line.context(), 0, 4));
  line.fabric.fail_router(2);
  line.to(line.fabric.cycles() + 1);
  EXPECT_TRUE(connected(line.context(), 0, 4)) << "it will be repaired";
  line.fabric.fail_link(1, line.east(1), true, true);
  EXPECT_FALSE(connected(line.context(), 0, 4));
  EXPECT_TRUE(connected(line.context(), 4, 0)) << "only the channel to the east is dead";
  EXPECT_TRUE(connected(line.context(), 0, 1));
  line.fabric.fail_router(1, true);
  EXPECT_FALSE(connected(line.context(), 0, 1));
  EXPECT_FALSE(connected(line.context(), 4, 0));
  EXPECT_TRUE(connected(line.context(), 4, 2));
}

// Dimension order takes one path per pair: a dead link in the middle of a 3x3 mesh cuts off those that need
// it.
TEST(Connected, AsTheRoutingAlgorithmGoes) {
  const auto none = protocol("none");
  FabricBench bench(mesh_network({3, 3}), preset("iq"), {}, "fabric", 1, none.get());
  const Topology& mesh = bench.fabric.topology();
  PortId east = 0;
  while (mesh.neighbour(4, east)->router != 5) ++east;
  bench.fabric.fail_link(4, east, false, true);
  const auto row = [](NodeId node) { return node / 3; };
  for (NodeId from = 0; from < 9; ++from)
    for (NodeId to = 0; to < 9; ++to) {
      if (from == to) continue;
      const bool to_the_east = from % 3 <= 1 && to % 3 == 2, to_the_west = from % 3 == 2 && to % 3 <= 1;
      const bool cut = row(from) == 1 && (to_the_east || to_the_west);  // it goes along its own row first
      EXPECT_EQ(connected(bench.fabric.context(), from, to), !cut) << from << " to " << to;
    }
}

// up-down routes by all faults: while one of them will be repaired, only what no healthy link joins is cut
// off.
TEST(Connected, ByHealthyLinksWhileRepairsAreDue) {
  const auto none = protocol("none");
  RoutingSettings routing;
  routing.algorithm = "up-down";
  FabricBench bench(mesh_network({3, 3}), preset("iq"), routing, "fabric", 1, none.get());
  Fabric& fabric = bench.fabric;
  bench.run(1);
  for (PortId port = 0; port < fabric.topology().port_count(0); ++port)
    if (fabric.topology().neighbour(0, port)) fabric.fail_link(0, port, false, true);
  fabric.fail_router(4);
  bench.run(1);
  EXPECT_FALSE(connected(fabric.context(), 0, 8));
  EXPECT_FALSE(connected(fabric.context(), 8, 0));
  EXPECT_TRUE(connected(fabric.context(), 8, 4)) << "it will be repaired";
  EXPECT_TRUE(connected(fabric.context(), 8, 1));
  fabric.repair_router(4);
  EXPECT_FALSE(connected(fabric.context(), 0, 8));
  EXPECT_TRUE(connected(fabric.context(), 8, 1));
}

class EveryProtocol : public testing::TestWithParam<std::string_view> {};

// Far longer than any limit that a sender might have of its own.
TEST_P(EveryProtocol, DeliversAfterALongFault) {
  RetryLine line{std::string(GetParam())};
  unsigned sent = 0;
  for (const Cycle duration : {700u, 30'000u, 200'000u}) {
    line.fabric.fail_router(2);
    line.send(5);
    line.send(1, 1, 3);
    sent += 2;
    line.to(line.fabric.cycles() + duration);
    EXPECT_EQ(line.fates.undeliverable, 0u) << duration;
    line.fabric.repair_router(2);
    EXPECT_TRUE(line.bench.drain(300'000)) << duration;
    EXPECT_EQ(line.fates.delivered, sent) << duration;
  }
}

TEST_P(EveryProtocol, StopsWhereAPermanentFaultCutsOff) {
  RetryLine line{std::string(GetParam())};
  line.fabric.fail_link(2, line.east(2), false, true);
  line.send(5);
  line.send(5, 0, 1);
  EXPECT_TRUE(line.bench.drain(2'000'000));
  EXPECT_EQ(line.fates.undeliverable, 1u);
  EXPECT_EQ(line.fates.delivered, 1u);
}

TEST_P(EveryProtocol, StopsAtTheLimitOfTheUser) {
  RetryLine line{std::string(GetParam()), 3};
  line.fabric.fail_router(2);
  line.send(5);
  EXPECT_TRUE(line.bench.drain(100'000)) << "the fault is never repaired";
  EXPECT_EQ(line.fates.undeliverable, 1u);
}

std::vector<std::string_view> that_resend() {
  std::vector<std::string_view> names;
  for (const RecoveryEntry& entry : recovery_protocols().entries())
    if (entry.traits.resends()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(RetryLimit, EveryProtocol, testing::ValuesIn(that_resend()), [](const auto& test) {
  std::string name(test.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace flitmend
