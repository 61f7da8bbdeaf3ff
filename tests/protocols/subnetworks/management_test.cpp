// SPDX-License-Identifier: Apache-2.0
// Faults that are discovered during the run, in networks whose subnetworks have two stages of switches.
#include "support/kns_incidents.h"
#include "support/subnetwork_cases.h"

namespace flitmend {

using namespace test::kns;

namespace {

template <SubnetworkKind kKind>
struct TwoStages {
  static NetworkSettings network() { return test::SubnetworkCase{4, 2, kKind, 2}.settings(); }
};
using FatTree = TwoStages<SubnetworkKind::fat_tree>;
using Ruft = TwoStages<SubnetworkKind::ruft>;

/// The tests of both kinds.
template <class Where>
class StagedManagement : public Management<Where> {
 protected:
  void the_intermediate_node_dies() {
    for (Cycle cycle = 20; cycle < 180; cycle += 8)
      this->add({link_fails(0, kSource, 0), node_dies(cycle, kCorner)});
    const Ends sum = this->run();
    EXPECT_EQ(this->management().steps, this->incidents().size());
    if (this->repairs()) {
      EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
    } else {
      EXPECT_GT(sum.lost, 0u);
    }
  }
  /// Each part inside a subnetwork fails permanently, in the middle of messages. All pairs can still be
  /// served: by another path up, or through an intermediate node.
  void a_part_inside_fails() {
    const auto topology = make_topology(Where::network());
    const std::vector<test::InsidePart> parts = test::inside_parts(*topology);
    for (std::size_t i = 0; i < parts.size(); ++i)
      this->add({{60 + i % 16, [part = parts[i]](Fabric& f) {
                    part.port == test::InsidePart::kWhole ? f.fail_router(part.router, true)
                                                          : f.fail_link(part.router, part.port);
                  }}});
    const Ends sum = this->run();
    EXPECT_EQ(this->management().steps, this->incidents().size());
    if (this->repairs()) {
      EXPECT_EQ(sum.lost + sum.undeliverable, 0u);
    } else {
      EXPECT_LT(sum.lost, sum.sent / 20);
    }
  }
  void the_only_path_fails() {
    for (Cycle cycle = 20; cycle < 180; cycle += 8)
      this->add({link_fails(0, kSource, 0), link_fails(cycle, kSource, 1)});
    const Ends sum = this->run();
    EXPECT_GT(sum.undeliverable, 10 * this->incidents().size());
    if (this->repairs()) {
      EXPECT_EQ(sum.lost, 0u);
    }
  }
};

}  // namespace

using FatTreeManagement = StagedManagement<FatTree>;
using RuftManagement = StagedManagement<Ruft>;

TEST_P(FatTreeManagement, SurvivesTheDeathOfTheIntermediateNode) {
  the_intermediate_node_dies();
}
TEST_P(FatTreeManagement, SurvivesEveryFaultInside) {
  a_part_inside_fails();
}
TEST_P(FatTreeManagement, SaysWhatCannotBeDeliveredWhenTheOnlyPathFails) {
  the_only_path_fails();
}
TEST_P(FatTreeManagement, LosesNothingToRandomFaults) {
  random_parts_fail(30, 4);
}
TEST_P(RuftManagement, SurvivesTheDeathOfTheIntermediateNode) {
  the_intermediate_node_dies();
}
TEST_P(RuftManagement, SurvivesEveryFaultInside) {
  a_part_inside_fails();
}
TEST_P(RuftManagement, SaysWhatCannotBeDeliveredWhenTheOnlyPathFails) {
  the_only_path_fails();
}
TEST_P(RuftManagement, LosesNothingToRandomFaults) {
  random_parts_fail(30, 4);
}

INSTANTIATE_TEST_SUITE_P(Protocols, FatTreeManagement, testing::ValuesIn(protocols(FatTree::network())),
                         name_of_protocol);
INSTANTIATE_TEST_SUITE_P(Protocols, RuftManagement, testing::ValuesIn(protocols(Ruft::network())),
                         name_of_protocol);

}  // namespace flitmend
