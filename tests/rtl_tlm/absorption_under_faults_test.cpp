// SPDX-License-Identifier: Apache-2.0
// Software-Based routing while nodes fail and are repaired: a message arrives once, or it is known what has
// become of it.
#include <set>
#include <utility>
#include <vector>

#include "base/random_stream.h"
#include "support/incidents.h"

namespace flitmend {
namespace {

constexpr std::int64_t kTorusRadix = 5;
constexpr NodeId kTorusNodes = 25;
constexpr Cycle kLastSend = 400;
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kIncidents = 15;
#else
constexpr std::uint64_t kIncidents = 40;
#endif

/// By the number of an incident.
const char* dateline_of(unsigned number) {
  constexpr const char* kAll[] = {"balanced", "strict", "halves"};
  return kAll[number % std::size(kAll)];
}
RoutingSettings routing_of(unsigned number) {
  RoutingSettings routing;
  routing.algorithm = "software-based";
  routing.selection = "random";
  routing.options = {{"dateline", dateline_of(number)}};
  routing.head_wait_cycles = 50;
  return routing;
}
/// In every second incident the software of a node is slow enough that many nodes die holding messages that
/// they have absorbed.
HardwareSettings hardware_of(unsigned number) {
  HardwareSettings settings = preset("kary-ncube");
  settings.network_interface.reinjection_cycles = number % 2 == 0 ? 0 : 30;
  if (std::string(dateline_of(number)) == "halves") settings.router.vc_reallocation = "atomic";
  return settings;
}

/// A 5x5 torus with a message per node and 10 cycles.
class AbsorptionIncident : public Incident {
 public:
  AbsorptionIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(grid_network("torus", {kTorusRadix, kTorusRadix}), hardware_of(number), routing_of(number),
                 recovery_protocols().at(protocol).make(impatient(), routing_of(number)), std::move(actions),
                 number) {}

 private:
  void send_messages(Cycle t) override {
    if (t > kLastSend) return;
    for (NodeId source = t % 10; source < kTorusNodes; source += 10)
      send(source, static_cast<NodeId>((source + 1 + t * 7 % (kTorusNodes - 1)) % kTorusNodes), 8);
  }
};

/// One to five different nodes fail, for up to 120 cycles or, if `permanent`, some permanently.
std::vector<Action> random_node_faults(std::uint64_t seed, bool permanent) {
  RandomStream random(seed, RandomPurpose::test, 0);
  std::vector<Action> actions;
  std::set<RouterId> nodes;
  const std::uint64_t count = 1 + random.below(5);
  while (nodes.size() < count) {
    const auto node = static_cast<RouterId>(random.below(kTorusNodes));
    if (!nodes.insert(node).second) continue;
    const Cycle cycle = random.below(kLastSend);
    const bool for_good = permanent && random.below(3) == 0;
    actions.push_back({cycle, [=](Fabric& f) { f.fail_router(node, for_good); }});
    if (for_good) continue;
    const Cycle repair = cycle + 2 + random.below(120);
    actions.push_back({repair, [=](Fabric& f) { f.repair_router(node); }});
  }
  return actions;
}

class AbsorptionUnderFaults : public Incidents<AbsorptionIncident> {
 protected:
  std::uint64_t absorptions() const {
    std::uint64_t sum = 0;
    for (const auto& incident : incidents()) sum += incident->context().absorptions;
    return sum;
  }
};

}  // namespace

// A node whose router fails for a while keeps the messages that it has absorbed.
TEST_P(AbsorptionUnderFaults, LosesOnlyWhatRandomTransientFaultsCut) {
  for (std::uint64_t seed = 1; seed <= kIncidents; ++seed) add(random_node_faults(seed, false));
  const Ends sum = run();
  EXPECT_GT(absorptions(), 10 * incidents().size());
  EXPECT_GT(sum.lost, 0u);
  EXPECT_LT(sum.lost, sum.sent / 10);
  EXPECT_EQ(sum.voided, 0u);
}

// One that dies loses them. They count as cut.
TEST_P(AbsorptionUnderFaults, LosesOnlyWhatRandomPermanentFaultsCut) {
  for (std::uint64_t seed = 1; seed <= kIncidents; ++seed) add(random_node_faults(seed, true));
  const Ends sum = run();
  EXPECT_GT(absorptions(), 10 * incidents().size());
  EXPECT_GT(sum.lost, 0u);
  EXPECT_LT(sum.lost, sum.sent / 10);
  EXPECT_GT(sum.voided, 0u);
  EXPECT_GT(sum.undeliverable, 0u) << "those to dead nodes";
}

// Around a node that is faulty all the time its neighbours fail too, so that messages are cut on their
// detours.
TEST_P(AbsorptionUnderFaults, LosesOnlyWhatIsCutOnItsDetour) {
  for (Cycle cycle = 100; cycle < 200; cycle += 4) {
    std::vector<Action> actions{{0, [](Fabric& f) { f.fail_router(12); }},
                                {500, [](Fabric& f) { f.repair_router(12); }}};
    for (const RouterId node : {RouterId{7}, RouterId{11}, RouterId{13}, RouterId{17}}) {
      const Cycle failed = cycle + 13 * (node % 5);
      actions.push_back({failed, [=](Fabric& f) { f.fail_router(node); }});
      actions.push_back({failed + 40, [=](Fabric& f) { f.repair_router(node); }});
    }
    add(std::move(actions));
  }
  const Ends sum = run();
  EXPECT_GT(absorptions(), 10 * incidents().size());
  EXPECT_GT(sum.lost, 0u);
  EXPECT_EQ(sum.voided, 0u);
}

// Other protocols are refused with an algorithm that absorbs messages on their way.
INSTANTIATE_TEST_SUITE_P(Protocols, AbsorptionUnderFaults, testing::Values("none"), name_of_protocol);

}  // namespace flitmend
