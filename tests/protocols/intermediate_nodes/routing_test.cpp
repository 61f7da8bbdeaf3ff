// SPDX-License-Identifier: Apache-2.0
// The routing function against the analysis, pair by pair.
#include <gtest/gtest.h>

#include "analysis/kns_tolerance/classifier.h"
#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"
#include "protocols/routing/intermediate_nodes/chooser.h"
#include "support/kns_fault_sets.h"
#include "support/kns_walk.h"

namespace flitmend {
namespace {

struct Case {
  std::uint32_t k, n;
  unsigned faults, intermediates;
  const char* policy = "minimal-first";
  const char* table = "by-destination";
  const char* ties = "random";
  std::uint32_t sets = 100;
};

const Case kCases[] = {
    {3, 2, 2, 1},
    {3, 2, 5, 2},
    {3, 2, 8, 2, "fewest"},
    {4, 2, 4, 1, "minimal-first", "linear"},
    {4, 2, 9, 2, "fewest", "linear", "first"},
    {5, 2, 9, 2, "minimal-first", "masked"},
    {3, 3, 8, 2},
    {3, 3, 20, 2, "fewest", "masked", "first"},
    {3, 3, 30, 3, "minimal-first", "by-destination", "first"},
    {2, 4, 9, 2},
    {2, 4, 20, 4, "fewest", "masked"},
    {6, 1, 2, 1},
};

RoutingSettings settings_of(const Case& c) {
  RoutingSettings s = algorithm("intermediate-nodes");
  s.options = {{"intermediates", c.intermediates},
               {"intermediate_policy", c.policy},
               {"intermediate_table", c.table},
               {"intermediate_ties", c.ties}};
  return s;
}

class Ports final : public PortStatus {
 public:
  Ports(const FaultSet& faults, RouterId router) : faults_(faults), router_(router) {}
  bool faulty(PortId port) const override { return faults_.blocked(router_, port); }

 private:
  const FaultSet& faults_;
  RouterId router_;
};

/// The path of one message, taking the first candidate everywhere.
struct Way {
  bool arrived = false;
  unsigned hops = 0;  ///< channels
  IntermediateList list;
  std::uint64_t last_state = 0;
};

/// Each time the class changes, the message is at an intermediate node.
Way way(const RoutingFunction& routing, const FaultSet& faults, NodeId from, NodeId to) {
  Way result;
  RouteRequest request = head(from, to, routing.initial_states(from, to).front());
  unsigned segment = 0;
  while (result.hops < 100) {
    const Ports ports(faults, request.here);
    request.ports = &ports;
    const auto list = candidates(routing, request);
    if (list.empty()) return result;
    const RouteCandidate& first = list.front();
    request.head_state = result.last_state = first.head_state;
    if (first.port == routing.local_port(request.here)) {
      result.arrived = request.here == to;
      return result;
    }
    if (first.vc_class != segment) {
      EXPECT_EQ(first.vc_class, segment + 1);
      segment = first.vc_class;
      result.list.nodes[result.list.count++] = request.here;
    }
    const RouterPort far = *routing.topology().neighbour(request.here, first.port);
    request.here = far.router;
    request.arrival_port = far.port;
    ++result.hops;
  }
  return result;
}

std::string text(const Case& c) {
  return KnsShape(c.k, c.n).description() + " with " + std::to_string(c.faults) + " faults, " +
         std::to_string(c.intermediates) + " intermediates, " + c.policy + ", " + c.table + ", ties " +
         c.ties;
}

}  // namespace

// More than 1000 sets of faults in all. Reachability is compared with a search over all routers, the chain
// with the analysis' choice, the counts of pairs with those of the analysis' classes of routers.
TEST(IntermediateNodes, TakeTheWayThatTheAnalysisSays) {
  unsigned sets = 0;
  std::uint64_t over_two = 0, unreachable = 0;
  for (const Case& c : kCases) {
    const KnsShape shape(c.k, c.n);
    const Kns kns(c.k, c.n);
    const auto routing = make_routing(kns, c.intermediates + 1, settings_of(c));
    KnsClassifier classifier(shape, c.intermediates, intermediate_policy(c.policy));
    test::KnsWalk walk(c.k, c.n);
    for (std::uint32_t set = 0; set < c.sets; ++set) {
      const std::vector<KnsLink> links = test::random_links(shape, c.faults, 1000 * c.faults + set);
      FaultSet faults(kns);
      walk.repair_all();
      for (const KnsLink& link : links) {
        faults.fail_link(link.node, static_cast<PortId>(link.dimension));
        walk.kill(link.node, link.dimension);
      }
      routing->set_seed(set);
      routing->update_faults(faults);
      const KnsFaults dead(shape, links);
      const IntermediateChooser chooser(
          dead, {c.intermediates, intermediate_policy(c.policy), intermediate_tie(c.ties), set});
      const auto least = walk.fewest(c.intermediates);
      KnsOutcome outcome;
      for (NodeId s = 0; s < kns.node_count(); ++s)
        for (NodeId d = 0; d < kns.node_count(); ++d) {
          if (s == d) continue;
          const Way taken = way(*routing, faults, s, d);
          ASSERT_EQ(taken.arrived, least[s][d] >= 0) << text(c) << ": " << s << " to " << d;
          if (!taken.arrived) {
            ++outcome.unreachable;
            continue;
          }
          ++outcome.pairs[taken.list.count];
          const IntermediateChain chosen = chooser.choose(s, d);
          ASSERT_EQ(taken.hops, 2u * chosen.hops) << text(c) << ": " << s << " to " << d;
          if (std::string(c.table) == "masked")
            ASSERT_TRUE(chooser.as_good(s, d, chosen, taken.list)) << text(c) << ": " << s << " to " << d;
          else
            ASSERT_EQ(taken.list, static_cast<const IntermediateList&>(chosen)) << text(c);
          const IntermediateFields fields = routing->intermediate_fields(taken.last_state);
          ASSERT_EQ(fields.left, 0u);
          ASSERT_EQ(fields.segment, taken.list.count);
        }
      const KnsOutcome& expected = classifier.classify(links);
      ASSERT_EQ(outcome.pairs, expected.pairs) << text(c);
      ASSERT_EQ(outcome.unreachable, expected.unreachable) << text(c);
      over_two += outcome.pairs[2] + outcome.pairs[3] + outcome.pairs[4];
      unreachable += outcome.unreachable;
      ++sets;
    }
  }
  EXPECT_GE(sets, 1000u);
  EXPECT_GT(over_two, 1000u) << "hardly a pair needs two intermediates: the test proves little";
  EXPECT_GT(unreachable, 1000u);
}

TEST(IntermediateNodes, CannotDeadlockWhateverIsFaulty) {
  for (const Case& c : kCases)
    for (const bool adaptive : {false, true}) {
      const KnsShape shape(c.k, c.n);
      const Kns kns(c.k, c.n);
      RoutingSettings settings = settings_of(c);
      if (adaptive) settings.options.set("segments", std::string("adaptive"));
      const RoutingProperties properties = routing_properties(kns, settings);
      if (properties.virtual_channels > kMaxVirtualChannels) continue;
      const auto routing = make_routing(kns, properties.virtual_channels, settings);
      const ChannelMap channels(*routing);
      KnsClassifier classifier(shape, c.intermediates, intermediate_policy(c.policy));
      for (std::uint32_t set = 0; set < 4; ++set) {
        const std::vector<KnsLink> links = test::random_links(shape, c.faults, 1000 * c.faults + set);
        FaultSet faults(kns);
        for (const KnsLink& link : links) faults.fail_link(link.node, static_cast<PortId>(link.dimension));
        routing->update_faults(faults);
        const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {adaptive, &faults});
        const std::string what = text(c) + (adaptive ? ", adaptive" : "");
        EXPECT_EQ(a.routes.without_route, classifier.classify(links).unreachable) << what;
        EXPECT_EQ(a.routes.can_strand, 0u) << what;
        EXPECT_TRUE(a.routes.livelock.empty()) << what;
        EXPECT_EQ(a.verdict, DeadlockVerdict::free) << what << describe(a, *routing, channels);
        if (!adaptive) {
          EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph) << what;
        }
      }
    }
}

TEST(IntermediateNodes, AdaptiveSegmentsOfferOnlyWhereHybridDorLeadsOn) {
  const Kns kns(3, 2);
  RoutingSettings settings = algorithm("intermediate-nodes");
  settings.options = {{"segments", "adaptive"}, {"intermediates", 1}};
  const auto routing = make_routing(kns, 5, settings);
  // From (0, 0) to (1, 1): both dimensions, and the lower one on the escape channel.
  EXPECT_EQ(candidates(*routing, head(0, 4)).size(), 3u);
  // From (0, 1) Hybrid-DOR would enter (1, 1) over a faulty link: dimension 1 is not offered. But then the
  // plain path is good.
  FaultSet faults(kns);
  faults.fail_link(4, 0);
  routing->update_faults(faults);
  const auto list = candidates(*routing, head(0, 4, routing->initial_states(0, 4).front()));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].port, 0);
  EXPECT_EQ(list[1].port, 0);
  EXPECT_TRUE(list[1].escape);
}

}  // namespace flitmend
