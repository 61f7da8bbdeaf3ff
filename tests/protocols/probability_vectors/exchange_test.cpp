// SPDX-License-Identifier: Apache-2.0
// The rounds of the exchange, cycle by cycle, in the registers and in SystemC's hierarchy.
#include <gtest/gtest.h>

#include <bit>
#include <memory>

#include "protocols/recovery/registry.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "protocols/routing/probability_vector_table.h"
#include "rtl_tlm/hierarchy/register_bits.h"
#include "rtl_tlm/hierarchy/register_objects.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "rtl_tlm/mechanisms/vectors/vectors.h"
#include "rtl_tlm/registers/register_map.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

constexpr unsigned kElements = 5;  // of a 4-ary 2-cube

/// An idle 4-ary n-cube.
class ExchangeBench {
 public:
  ExchangeBench(unsigned wires, unsigned link_latency, unsigned dimensions = 2,
                unsigned message_classes = 1) {
    RoutingSettings routing;
    routing.algorithm = "probability-vectors";
    routing.options = {{"vector_bits", std::int64_t{wires}}};
    const NetworkSettings network = grid_network("torus", std::vector<std::int64_t>(dimensions, 4));
    recovery_ = std::make_unique<ProbabilityVectorExchange>(
        *make_topology(network), wires, recovery_protocols().at("none").make({}, routing));
    HardwareSettings hardware = preset("iq");
    hardware.router.vc_reallocation = "atomic";
    hardware.link.latency = link_latency;
    bench_ =
        std::make_unique<FabricBench>(network, HardwareParameters::from(hardware), routing, "fabric", 1,
                                      recovery_.get(), TransactionParameters::one_way(4096), message_classes);
  }
  FabricBench& operator*() { return *bench_; }
  FabricBench* operator->() { return bench_.get(); }
  unsigned round(RouterId router) const {
    return Vectors::exchange(bench_->fabric.router(router).state()).round;
  }
  const VectorCounters& counters() const { return bench_->fabric.context().shared<VectorCounters>(); }

 private:
  std::unique_ptr<ProbabilityVectorExchange> recovery_;
  std::unique_ptr<FabricBench> bench_;
};

const RegisterObject& named(const std::string& name) {
  return dynamic_cast<const RegisterObject&>(*sc_core::sc_find_object(name.c_str()));
}

struct RoundCase {
  unsigned wires, link_latency, cycles;
};

class VectorRounds : public testing::TestWithParam<RoundCase> {};

TEST_P(VectorRounds, FollowEachOtherAtPowerUp) {
  const auto [wires, link_latency, cycles] = GetParam();
  ExchangeBench bench(wires, link_latency);
  for (unsigned t = 0; t < (kElements + 1) * cycles; ++t) {
    bench->run(1);
    const unsigned expected = t / cycles < kElements ? t / cycles + 1 : 0;
    for (RouterId router = 0; router < 16; ++router)
      ASSERT_EQ(bench.round(router), expected) << "cycle " << t;
    ASSERT_EQ(named("fabric.router_3_1.vectors.round").value(), expected);
  }
  EXPECT_EQ(bench.counters().exchanges, 1u);
  EXPECT_EQ(bench.counters().cycles, std::uint64_t{kElements} * cycles);
  EXPECT_EQ(bench.counters().longest, std::uint64_t{kElements} * cycles);
  EXPECT_EQ(bench.counters().rounds, 16u * kElements);
  EXPECT_EQ(bench.counters().elements, 64u * kElements);
  EXPECT_EQ(bench.counters().bits, 64u * kElements * kVectorElementBits);
}

INSTANTIATE_TEST_SUITE_P(Wires, VectorRounds,
                         testing::Values(RoundCase{16, 1, 4}, RoundCase{64, 1, 1}, RoundCase{1, 1, 64},
                                         RoundCase{7, 3, 12}),
                         [](const auto& c) {
                           return std::to_string(c.param.wires) + "_wires_latency_" +
                                  std::to_string(c.param.link_latency);
                         });

}  // namespace

// The neighbours of the fault send all elements; a router d hops away is reached by the change of element 1 +
// d.
TEST(VectorExchange, SpreadsFromAFaultRoundByRound) {
  constexpr unsigned kAll = 7;  // elements of a 4-ary 3-cube
  constexpr RouterId kFault = 21, kFar = 22, kOne = 20, kTwo = 24, kThree = 40;
  ExchangeBench bench(16, 1, 3);
  bench->run(50);
  const VectorCounters before = bench.counters();
  bench->fabric.fail_link(kFault, 0);  // between (1, 1, 1) and (2, 1, 1)
  bench->run(1);
  EXPECT_EQ(bench.round(kFault), 1u);
  EXPECT_EQ(bench.round(kFar), 1u);
  EXPECT_EQ(bench.round(kOne), 0u) << "(0, 1, 1), a hop away";
  bench->run(4);
  EXPECT_EQ(bench.round(kFault), 2u);
  EXPECT_EQ(bench.round(kOne), 2u);
  EXPECT_EQ(bench.round(kTwo), 0u) << "(0, 2, 1), two hops";
  bench->run(4);
  EXPECT_EQ(bench.round(kTwo), 3u);
  EXPECT_EQ(bench.round(kThree), 0u) << "(0, 2, 2), three hops";
  bench->run(4);
  EXPECT_EQ(bench.round(kThree), 4u);
  bench->run(40);
  EXPECT_EQ(bench.counters().exchanges, 2u);
  EXPECT_EQ(bench.counters().cycles - before.cycles, kAll * 4u);
  EXPECT_LT(bench.counters().rounds - before.rounds, before.rounds);

  const KaryCube cube(4, 3);
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, {.nodes = {}, .links = {{kFault, 0}}});
  for (unsigned l = 1; l <= kAll; ++l) {
    const std::string element = ".l" + std::to_string(l) + ".p";
    EXPECT_EQ(named("fabric.router_0_1_1.vectors" + element).value(),
              std::bit_cast<std::uint64_t>(table.vector(kOne)[l - 1]));
    EXPECT_EQ(named("fabric.router_0_1_1.dim0_plus.vector" + element).value(),
              std::bit_cast<std::uint64_t>(table.vector(kFault)[l - 1]));
  }
  EXPECT_EQ(named("fabric.router_1_1_1.vectors.healthy").value(), 0b111110u);
  EXPECT_EQ(named("fabric.router_2_1_1.vectors.healthy").value(), 0b111101u);
}

// With one direction of a link faulty, both routers count it as faulty.
TEST(VectorExchange, NeedsBothDirectionsOfALink) {
  ExchangeBench bench(16, 1);
  bench->fabric.fail_link(5, 0, true);
  bench->run(50);
  EXPECT_EQ(Vectors::exchange(bench->fabric.router(5).state()).healthy, 0b1110u);
  EXPECT_EQ(Vectors::exchange(bench->fabric.router(6).state()).healthy, 0b1101u);
  const KaryCube cube(4, 2);
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, {.nodes = {}, .links = {{5, 0}}});
  const double* const own = Vectors::own(bench->fabric.router(9).state());
  EXPECT_TRUE(std::equal(own, own + kElements, table.vector(9)));
}

// Both networks of requests and replies route by the registers, which know of the fault without
// update_faults.
TEST(VectorExchange, ServesRequestsAndReplies) {
  ExchangeBench bench(16, 1, 2, 2);
  bench->fabric.fail_link(5, 0);
  bench->run(50);
  const RoutingFunction& routing = bench->fabric.context().routing;
  for (const std::uint8_t vc : {std::uint8_t{0}, std::uint8_t{2}}) {
    std::vector<RouteCandidate> storage(routing.max_candidates());
    CandidateList list(storage.data(), routing.max_candidates());
    routing.route({5, 5, 6, RouteRequest::kInjected, vc, 0, nullptr, nullptr}, list);
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list[0].port, 1) << "the lowest of the others";
    EXPECT_EQ(list[0].vc_class / 2, vc / 2);
  }
}

TEST(VectorExchange, TakesRegistersAndNoneWithoutIt) {
  ExchangeBench bench(16, 1);
  const RouterLayout& layout = bench->fabric.router(0).state().layout();
  // Per network port: element, shift, received; per vector 5 doubles; own: round, next, timer, shift, left,
  // healthy.
  const RegisterBits bits = register_bits(layout);
  bench->fabric.context().hardware.vector_elements = 0;
  const RegisterBits bare = register_bits(layout);
  bench->fabric.context().hardware.vector_elements = kElements;
  EXPECT_EQ(bits.ports - bare.ports, 4u * (3 + 64 + 7 + kElements * 64));
  EXPECT_EQ(bits.router - bare.router, 3u + 3 + 3 + 64 + 7 + 4 + kElements * 64);
}

}  // namespace flitmend
