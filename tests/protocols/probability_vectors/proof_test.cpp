// SPDX-License-Identifier: Apache-2.0
// The deadlock checker on probability vectors with faults from the start, among them sets with which some
// pairs fail or loop.
#include <gtest/gtest.h>

#include "analysis/probability_vectors/faults.h"
#include "analysis/probability_vectors/route.h"
#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"
#include "topologies/torus.h"

namespace flitmend {

TEST(VectorProof, HoldsWithRandomFaults) {
  const Torus torus({4, 4});
  const KaryCube cube(4, 2);
  const auto routing = make_routing(torus, 3, algorithm("probability-vectors"));
  const ChannelMap channels(*routing);
  std::uint64_t given_up = 0;
  for (std::uint64_t set = 0; set < 25; ++set) {
    SCOPED_TRACE("set " + std::to_string(set));
    RandomStream random(set, RandomPurpose::test);
    const KaryCubeFaults drawn = random_faults(cube, 3, 2, random);
    FaultSet faults(torus);
    for (const NodeId node : drawn.nodes) faults.fail_router(node);
    for (const KaryCubeFaults::Link& link : drawn.links)
      faults.fail_link(link.node, static_cast<PortId>(2 * link.dimension));
    routing->update_faults(faults);
    const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {.faults = &faults});
    EXPECT_EQ(a.verdict, DeadlockVerdict::free);
    EXPECT_TRUE(a.argument == DeadlockArgument::escape_channels ||
                a.argument == DeadlockArgument::dependency_graph);
    EXPECT_TRUE(a.routes.livelock.empty());

    // On idle channels a message arrives unless the analysis says otherwise; over the escape channels it
    // always may.
    const ProbabilityVectorTable table(cube, PvArithmetic::plain, drawn);
    PvRouter router(table, {}, drawn.count());
    std::uint64_t failed = 0;
    for (NodeId from = 0; from < cube.node_count(); ++from)
      for (NodeId to = 0; to < cube.node_count(); ++to)
        if (from != to && !table.faulty(from) && !table.faulty(to))
          failed += router.route(from, to, nullptr).status != PvStatus::delivered;
    EXPECT_EQ(a.routes.without_route + a.routes.can_strand, failed);
    given_up += failed;
  }
  EXPECT_GT(given_up, 10u) << "of these sets the proof says most";
}

}  // namespace flitmend
