// SPDX-License-Identifier: Apache-2.0
// Faults and repairs that strike while vectors are exchanged and traffic flows: messages are delivered once,
// or somebody says that they are not.
#include <algorithm>
#include <utility>

#include "protocols/probability_vectors/vector_registers.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "support/incidents.h"

namespace flitmend {
namespace {

constexpr std::int64_t kRadix = 4;
constexpr NodeId kNodes = 16;
constexpr Cycle kFirstFault = 100;  // after the exchange at the start
constexpr Cycle kLastSend = 210;
// An exchange takes 5 rounds of 16 cycles.
constexpr std::int64_t kBits = 4;
constexpr Cycle kExchange = 5 * 16;
#ifdef __SANITIZE_ADDRESS__
constexpr Cycle kStride = 23, kSmallStride = 11;
#else
constexpr Cycle kStride = 8, kSmallStride = 3;
#endif

NetworkSettings torus() {
  return grid_network("torus", {kRadix, kRadix});
}
HardwareSettings atomic() {
  HardwareSettings hardware = preset("iq");
  hardware.router.vc_reallocation = "atomic";
  return hardware;
}
RoutingSettings vectors() {
  RoutingSettings routing;
  routing.algorithm = "probability-vectors";
  routing.options = {{"vector_bits", kBits}};
  return routing;
}

/// A 4-ary 2-cube with a message per node and 10 cycles.
class VectorIncident : public Incident {
 public:
  VectorIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(torus(), atomic(), vectors(),
                 std::make_unique<ProbabilityVectorExchange>(
                     *make_topology(torus()), static_cast<unsigned>(kBits),
                     recovery_protocols().at(protocol).make(impatient(), vectors())),
                 std::move(actions), number) {}

  const VectorCounters& counters() const { return context().shared<VectorCounters>(); }

  /// The last exchange has ended with the vectors that the analysis calculates for the faults that are left.
  void expect_vectors_of_the_analysis() const {
    const KaryCube cube(kRadix, 2);
    KaryCubeFaults faults;
    for (NodeId node = 0; node < kNodes; ++node) {
      if (fabric().faults().router_faulty(node)) faults.nodes.push_back(node);
      for (const unsigned dimension : {0u, 1u})
        if (fabric().faults().channel_faulty(node, static_cast<PortId>(2 * dimension)))
          faults.links.push_back({node, dimension});
    }
    test::expect_vectors(fabric(), cube, ProbabilityVectorTable(cube, PvArithmetic::plain, faults));
  }

 private:
  void send_messages(Cycle t) override {
    if (t > kLastSend) return;
    for (NodeId source = t % 10; source < kNodes; source += 10)
      send(source, static_cast<NodeId>((source + 1 + t * 7 % (kNodes - 1)) % kNodes), 8);
  }
};

class VectorsUnderFaults : public Incidents<VectorIncident> {
 protected:
  Ends run() {
    const Ends sum = Incidents::run();
    for (const auto& incident : incidents()) incident->expect_vectors_of_the_analysis();
    return sum;
  }
  /// One exchange at the start, and one for both faults: the second comes before the first one's has ended.
  void expect_one_exchange_for_both_faults() {
    for (const auto& incident : incidents()) EXPECT_EQ(incident->counters().exchanges, 2u);
  }
  std::uint64_t longest_exchange() {
    std::uint64_t longest = 0;
    for (const auto& incident : incidents()) longest = std::max(longest, incident->counters().longest);
    return longest;
  }
};

}  // namespace

// The second fault comes in every phase of the exchange after the first one.
TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfALinkFailsDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kStride)
    add({{kFirstFault, [](Fabric& f) { f.fail_link(5, 0); }},
         {kFirstFault + later, [](Fabric& f) { f.fail_link(5, 2); }}});
  const Ends sum = run();
  expect_one_exchange_for_both_faults();
  EXPECT_GT(longest_exchange(), kExchange);
  EXPECT_LE(longest_exchange(), 2 * kExchange + 16);
  EXPECT_EQ(sum.voided, 0u);
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
    EXPECT_EQ(sum.undeliverable, 0u);
  } else {
    EXPECT_GT(sum.lost, 0u);
    EXPECT_LT(sum.lost + sum.undeliverable, sum.sent / 10);
  }
}

TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfANodeDiesDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kStride)
    add({{kFirstFault, [](Fabric& f) { f.fail_router(5, true); }},
         {kFirstFault + later, [](Fabric& f) { f.fail_router(10, true); }}});
  const Ends sum = run();
  expect_one_exchange_for_both_faults();
  EXPECT_GT(sum.voided, 0u);
  EXPECT_GT(sum.undeliverable, 0u) << "those to the dead nodes";
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
  }
}

// A repaired router knows nothing, and its neighbours nothing of it.
TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfARouterIsRepairedDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kStride)
    add({{kFirstFault, [](Fabric& f) { f.fail_router(5); }},
         {kFirstFault + later, [](Fabric& f) { f.repair_router(5); }},
         {kFirstFault + later + 3, [](Fabric& f) { f.fail_link(6, 0); }}});
  const Ends sum = run();
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
    EXPECT_EQ(sum.undeliverable, 0u);
  }
}

// A node has two links left. One of them fails, and in every phase of the exchange after that the other one.
TEST_P(VectorsUnderFaults, LoseNoMessageSilentlyIfTheOnlyPathFailsDuringAnExchange) {
  for (Cycle later = 1; later < kExchange; later += kSmallStride)
    add({{0, [](Fabric& f) { f.fail_link(5, 1); }},
         {0, [](Fabric& f) { f.fail_link(5, 3); }},
         {kFirstFault, [](Fabric& f) { f.fail_link(5, 0); }},
         {kFirstFault + later, [](Fabric& f) { f.fail_link(5, 2); }}});
  const Ends sum = run();
  expect_one_exchange_for_both_faults();
  EXPECT_EQ(sum.voided, 0u);
  EXPECT_GT(sum.undeliverable, 10 * incidents().size()) << "those to the node and from it";
  if (repairs()) {
    EXPECT_EQ(sum.lost, 0u);
  } else {
    EXPECT_GT(sum.lost, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, VectorsUnderFaults,
                         testing::Values("none", "sbrp-0", "sbrp-1", "sbrp-2", "utp", "fcr", "apcs",
                                         "end-to-end"),
                         name_of_protocol);

}  // namespace flitmend
