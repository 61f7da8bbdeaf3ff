// SPDX-License-Identifier: Apache-2.0
// Routers that add the destinations of looping messages to their faulty sets, against the analysis: after
// every message the vectors, and what became of it.
#include <gtest/gtest.h>

#include <memory>

#include "analysis/probability_vectors/faults.h"
#include "analysis/probability_vectors/route.h"
#include "protocols/probability_vectors/vector_registers.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/learnt_loops.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "rtl_tlm/hierarchy/register_objects.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kCubeRadix = 5, kCubeDimensions = 2;

/// A 5-ary 2-cube, one message at a time.
class LearningFabric : private MessageObserver {
 public:
  explicit LearningFabric(const char* protocol = "none") : cube_(kCubeRadix, kCubeDimensions) {
    RoutingSettings routing;
    routing.algorithm = "probability-vectors";
    routing.options = {{"learn_from_loops", true}, {"vector_bits", std::int64_t{64}}};
    routing.head_wait_cycles = 20;
    RecoverySettings recovery;
    recovery.retry_limit = 2;
    recovery.backoff_limit = 1;
    const NetworkSettings network = grid_network("torus", {kCubeRadix, kCubeRadix});
    recovery_ = std::make_unique<ProbabilityVectorExchange>(
        *make_topology(network), 64, recovery_protocols().at(protocol).make(recovery, routing), true);
    HardwareSettings hardware = preset("iq");
    hardware.router.vc_reallocation = "atomic";
    bench_ = std::make_unique<FabricBench>(network, HardwareParameters::from(hardware), routing, "fabric", 1,
                                           recovery_.get());
    bench_->fabric.add_observer(static_cast<MessageObserver&>(*this));
    bench_->run(1);
  }

  FabricBench& bench() { return *bench_; }
  const KaryCube& cube() const { return cube_; }
  const LearntLoops& loops() { return bench_->fabric.context().shared<LearntLoops>(); }
  std::uint64_t exchanges() { return bench_->fabric.context().shared<VectorCounters>().exchanges; }

  void strike(const KaryCubeFaults& faults, bool fail) {
    for (const NodeId node : faults.nodes)
      fail ? bench_->fabric.fail_router(node) : bench_->fabric.repair_router(node);
    settle();
  }
  void settle() {
    const VectorCounters& counters = bench_->fabric.context().shared<VectorCounters>();
    bench_->run(2);
    for (int i = 0; i < 10'000 && counters.exchanging(bench_->fabric.cycles() - 1); ++i) bench_->run(1);
    ASSERT_FALSE(counters.exchanging(bench_->fabric.cycles() - 1));
  }
  /// Sends a message. Its hops; none if it is undeliverable.
  std::optional<unsigned> send(NodeId source, NodeId destination) {
    bench_->deliveries.clear();
    undeliverable_ = 0;
    bench_->fabric.network_interface(source).send(destination, 2);
    EXPECT_TRUE(bench_->drain(20'000));
    EXPECT_EQ(bench_->deliveries.size() + undeliverable_, 1u);
    settle();
    return bench_->deliveries.empty() ? std::nullopt : std::optional(bench_->deliveries[0].hops);
  }

 private:
  void message_undeliverable(MessageIndex, const Message&, Cycle) override { ++undeliverable_; }

  KaryCube cube_;
  std::unique_ptr<ProbabilityVectorExchange> recovery_;
  std::unique_ptr<FabricBench> bench_;
  unsigned undeliverable_ = 0;
};

KaryCubeFaults faults_of_set(const KaryCube& cube, std::uint32_t set) {
  RandomStream random(set, RandomPurpose::test);
  return random_faults(cube, 8, 0, random);
}

/// Whether healthy nodes join them. If they do not, the message is dropped at its source, and does not loop.
bool connected(const ProbabilityVectorTable& table, NodeId source, NodeId destination) {
  std::vector<bool> seen(table.cube().node_count());
  std::vector<NodeId> reached{source};
  seen[source] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (unsigned port = 0; port < table.cube().ports(); ++port) {
      const NodeId next = table.cube().neighbour(reached[i], port);
      if (!(table.usable_ports(reached[i]) >> port & 1) || seen[next]) continue;
      seen[next] = true;
      reached.push_back(next);
    }
  return seen[destination];
}

}  // namespace

TEST(LearningFromLoops, AgreesWithTheAnalysisMessageByMessage) {
  LearningFabric fabric;
  const KaryCube& cube = fabric.cube();
  unsigned loops = 0, later = 0;
  for (std::uint32_t set = 0; set < 40; ++set) {
    SCOPED_TRACE("set " + std::to_string(set));
    const KaryCubeFaults faults = faults_of_set(cube, set);
    fabric.strike(faults, true);
    ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
    PvRouting routing;
    routing.learn_from_loops = true;
    PvRouter router(table, routing, faults.count());
    for (NodeId source = 0; source < cube.node_count(); ++source)
      for (NodeId destination = 0; destination < cube.node_count(); ++destination) {
        if (source == destination || table.faulty(source) || table.faulty(destination)) continue;
        if (!connected(table, source, destination)) continue;
        const PvRoute route = router.route(source, destination, nullptr);
        const auto hops = fabric.send(source, destination);
        ASSERT_EQ(hops.has_value(), route.status == PvStatus::delivered) << source << " to " << destination;
        if (hops) {
          ASSERT_EQ(*hops, route.hops) << source << " to " << destination;
        }
        if (route.status == PvStatus::failed) later += table.known_unreachable(route.last, destination);
        if (route.status != PvStatus::looping) continue;
        ++loops;
        table.add_unreachable(route.last, destination);
        ASSERT_EQ(fabric.loops().knows(route.last, destination),
                  table.known_unreachable(route.last, destination));
        test::expect_vectors(fabric.bench().fabric, cube, table);
        if (HasFatalFailure()) return;
      }
    fabric.strike(faults, false);
    for (NodeId node = 0; node < cube.node_count(); ++node)
      fabric.loops().for_each(node, [&](NodeId) { ADD_FAILURE() << "everything is forgotten"; });
    test::expect_vectors(fabric.bench().fabric, cube, ProbabilityVectorTable(cube, PvArithmetic::plain, {}));
  }
  EXPECT_GT(loops, 10u);
  EXPECT_GT(later, 0u) << "messages that a router drops because it has learnt from one before";
  EXPECT_TRUE(fabric.bench().fabric.check_conservation().flits_conserved());
}

// The first loop of a set, cycle by cycle.
TEST(LearningFromLoops, RaisesTheFirstElementAndStartsAnExchange) {
  LearningFabric fabric;
  const KaryCube& cube = fabric.cube();
  for (std::uint32_t set = 0;; ++set) {
    ASSERT_LT(set, 100u) << "no set has a loop";
    const KaryCubeFaults faults = faults_of_set(cube, set);
    const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
    PvRouter router(table, {}, faults.count());
    for (NodeId source = 0; source < cube.node_count(); ++source)
      for (NodeId destination = 0; destination < cube.node_count(); ++destination) {
        if (source == destination || table.faulty(source) || table.faulty(destination)) continue;
        if (!connected(table, source, destination)) continue;
        const PvRoute route = router.route(source, destination, nullptr, true);
        if (route.status != PvStatus::looping || cube.lee_distance(route.last, destination) < 2) continue;
        fabric.strike(faults, true);
        const std::uint64_t before = fabric.exchanges();
        FabricBench& bench = fabric.bench();
        const double p1 = Vectors::own(bench.fabric.router(route.last).state())[0];
        const auto& learnt = dynamic_cast<const RegisterObject&>(*sc_core::sc_find_object(
            ("fabric." + bench.topology().router_name(route.last) + ".recovery.learnt").c_str()));
        EXPECT_EQ(learnt.value(), 0u);
        bench.fabric.network_interface(source).send(destination, 2);
        for (int i = 0; i < 10'000 && !fabric.loops().knows(route.last, destination); ++i) {
          EXPECT_EQ(Vectors::own(bench.fabric.router(route.last).state())[0], p1);
          bench.run(1);
        }
        ASSERT_TRUE(fabric.loops().knows(route.last, destination));
        EXPECT_EQ(learnt.value(), 1u);
        bench.run(1);
        EXPECT_EQ(Vectors::own(bench.fabric.router(route.last).state())[0], p1 + 1. / cube.ports());
        EXPECT_EQ(Vectors::exchange(bench.fabric.router(route.last).state()).round, 1u);
        EXPECT_EQ(fabric.exchanges(), before + 1);
        // A router that dies forgets, and so do all when the faults change.
        bench.fabric.fail_router(route.last);
        fabric.settle();
        EXPECT_FALSE(fabric.loops().knows(route.last, destination));
        return;
      }
  }
}

TEST(LearningFromLoops, IsOffUnlessItIsAskedFor) {
  RoutingSettings routing;
  routing.algorithm = "probability-vectors";
  const auto torus = make_topology(grid_network("torus", {kCubeRadix, kCubeRadix}));
  EXPECT_FALSE(routing_properties(*torus, routing).learns_from_loops);
  EXPECT_TRUE(ProbabilityVectorExchange(*torus, 16, recovery_protocols().at("none").make({}, routing))
                  .unit_registers()
                  .empty());
  routing.options = {{"learn_from_loops", true}};
  EXPECT_TRUE(routing_properties(*torus, routing).learns_from_loops);
}

}  // namespace flitmend
