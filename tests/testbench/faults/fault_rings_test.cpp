// SPDX-License-Identifier: Apache-2.0
// fault-ring-e-cube on the configurations of `flitmend analyze fault-rings`: how many messages meet a ring in
// a simulation, beside P_hit [Safaei11].
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "analysis/fault_rings/path_counts.h"
#include "base/random_stream.h"
#include "support/fabric_bench.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

/// fault-ring-e-cube, and which pairs it has brought to routers of a region.
class WatchedRouting final : public RoutingFunction {
 public:
  using Pair = std::pair<NodeId, NodeId>;

  WatchedRouting(const Topology& topology, const FaultPattern& pattern)
      : RoutingFunction(topology), routing_(make_routing(topology, 4, settings())), pattern_(pattern) {
    FaultSet faults(topology);
    for (RouterId router = 0; router < topology.router_count(); ++router)
      if (pattern.faulty(router)) faults.fail_router(router);
    routing_->update_faults(faults);
  }
  static RoutingSettings settings() {
    RoutingSettings s;
    s.algorithm = "fault-ring-e-cube";
    return s;
  }

  void route(const RouteRequest& request, CandidateList& out) const override {
    EXPECT_FALSE(pattern_.faulty(request.here));
    if (pattern_.in_region(request.here, FaultRegion::ring))
      met_.insert({request.source, request.destination});
    routing_->route(request, out);
  }
  unsigned max_candidates() const override { return routing_->max_candidates(); }
  VcMask class_vcs(RouterId router, PortId port, unsigned c) const override {
    return routing_->class_vcs(router, port, c);
  }
  unsigned classes() const override { return routing_->classes(); }

  /// The route of a pair is always the same.
  bool met(NodeId from, NodeId to) const { return met_.contains({from, to}); }

 private:
  std::unique_ptr<RoutingFunction> routing_;
  const FaultPattern& pattern_;
  mutable std::set<Pair> met_;
};

struct RingCase {
  std::vector<std::uint32_t> size;
  std::vector<FaultBox> boxes;
  double p_hit;     ///< of minimal paths, each counted once
  double of_pairs;  ///< share of pairs whose path along dimension 0 and then 1 meets the region
};

class FaultRingShare : public testing::TestWithParam<RingCase>, private MessageObserver {
 protected:
  /// Sends `messages` between random pairs of healthy nodes; the share that met the region.
  double simulated(const FaultPattern& pattern, unsigned messages) {
    const Mesh mesh(GetParam().size);
    WatchedRouting routing(mesh, pattern);
    const auto selection = make_selection(mesh, WatchedRouting::settings());
    sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
    HardwareSettings hardware = preset("iq");
    hardware.router.virtual_channels = 4;
    Fabric fabric("fabric", mesh, routing, *selection, HardwareParameters::from(hardware));
    fabric.clock(clock);
    fabric.add_observer(static_cast<MessageObserver&>(*this));
    std::vector<NodeId> healthy;
    for (NodeId node = 0; node < mesh.node_count(); ++node)
      if (!pattern.faulty(node)) healthy.push_back(node);
    const auto pick = [&, count = static_cast<std::uint32_t>(healthy.size())] {
      return healthy[random_.below(count)];
    };
    const auto run = [](unsigned cycles) { sc_core::sc_start(sc_core::sc_time(cycles, sc_core::SC_NS)); };
    run(1);
    for (unsigned sent = 0; sent < messages;) {
      const NodeId from = pick(), to = pick();
      if (from == to) continue;
      fabric.network_interface(from).send(to, 2);
      if (++sent % 4 == 0) run(1);
    }
    for (unsigned i = 0; i < 1000 && !fabric.quiet(); ++i) run(16);
    EXPECT_EQ(delivered_.size(), messages);
    double met = 0;
    for (const auto& [from, to] : delivered_) met += routing.met(from, to);
    return met / messages;
  }
  /// By the definition: of all pairs of different healthy nodes.
  double of_pairs(const FaultPattern& pattern) const {
    const Mesh mesh(GetParam().size);
    double met = 0, pairs = 0;
    for (NodeId from = 0; from < mesh.node_count(); ++from)
      for (NodeId to = 0; to < mesh.node_count(); ++to) {
        if (from == to || pattern.faulty(from) || pattern.faulty(to)) continue;
        bool hit = false;
        NodeId here = from;
        for (unsigned i = 0; i < 2; ++i)
          for (std::int32_t left;
               hit |= pattern.in_region(here, FaultRegion::ring), (left = mesh.offset(here, to, i)) != 0;)
            here = mesh.neighbour(here, mesh.port(i, left > 0))->router;
        met += hit;
        ++pairs;
      }
    return met / pairs;
  }

 private:
  void message_delivered(MessageIndex, const Message& m, NodeId at, Cycle) override {
    delivered_.emplace_back(m.source, at);
  }

  RandomStream random_{1, RandomPurpose::test};
  std::vector<WatchedRouting::Pair> delivered_;
};

TEST_P(FaultRingShare, IsThatOfDimensionOrderAndNotThatOfAllMinimalPaths) {
  const RingCase& c = GetParam();
  const FaultPattern pattern(MeshShape(c.size), c.boxes);
  EXPECT_NEAR(count_paths_by_sweep(pattern, FaultRegion::ring).p_hit(), c.p_hit, 5e-7);
  const double expected = of_pairs(pattern);
  EXPECT_NEAR(expected, c.of_pairs, 5e-7);
  constexpr unsigned kMessages = 20'000;
  const double share = simulated(pattern, kMessages);
  RecordProperty("share", std::to_string(share));
  EXPECT_NEAR(share, expected, 4 * std::sqrt(expected * (1 - expected) / kMessages));
}

INSTANTIATE_TEST_SUITE_P(
    OneAndTwoBoxes, FaultRingShare,
    testing::Values(RingCase{{16, 16}, {{{7, 7}, {2, 2}}}, .8306007, .2752798},
                    RingCase{{16, 16}, {{{3, 3}, {2, 2}}}, .479174, .210523},
                    RingCase{{16, 16}, {{{3, 3}, {2, 2}}, {{10, 9}, {3, 2}}}, .7081151, .474299},
                    RingCase{{8, 8}, {{{3, 3}, {1, 1}}}, .8174662, .4447005}));

}  // namespace
}  // namespace flitmend
