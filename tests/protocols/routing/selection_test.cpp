// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "contracts/every_selection.h"
#include "protocols/networks.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

/// Outputs whose state the test sets.
struct Outputs final : OutputStatus {
  std::map<PortId, VcMask> vcs;
  std::map<PortId, unsigned> credit;
  VcMask free_vcs(PortId port) const override { return vcs.contains(port) ? vcs.at(port) : 0; }
  unsigned credits(PortId port) const override { return credit.contains(port) ? credit.at(port) : 0; }
};

const std::vector<RouteCandidate> kThree = {{0, 0, 0, 0, false}, {0, 2, 0, 0, false}, {0, 3, 0, 0, false}};

class Selection : public testing::Test {
 protected:
  PortId pick(const std::string& name, const std::vector<VcMask>& available,
              PortId arrival = RouteRequest::kInjected) {
    auto& selection = made_[name];
    if (!selection) selection = selections().at(name).make(mesh_);
    const RouteRequest request{5, 0, 15, arrival, 0, 0, nullptr, &random_};
    const unsigned i = selection->select(request, kThree.data(), available.data(), 3, outputs_);
    EXPECT_LT(i, 3u) << name;
    EXPECT_NE(available[i], 0u) << name << " chose what is not free";
    return kThree[i].port;
  }
  Mesh mesh_{std::vector<std::uint32_t>{4, 4}};
  RandomStream random_{3, RandomPurpose::selection, 5};
  Outputs outputs_;
  std::map<std::string, std::unique_ptr<SelectionFunction>> made_;
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(Registered, EverySelection, testing::ValuesIn(selections().entries()),
                         test_name<SelectionEntry>);

TEST_F(Selection, FirstTakesTheFirstFree) {
  EXPECT_EQ(pick("first", {1, 1, 1}), 0);
  EXPECT_EQ(pick("first", {0, 1, 1}), 2);
}

TEST_F(Selection, RandomIsUniformOverTheFree) {
  std::map<PortId, int> count;
  for (int i = 0; i < 3000; ++i) ++count[pick("random", {1, 1, 1})];
  for (PortId port : {0, 2, 3}) EXPECT_NEAR(count[port], 1000, 120);
  count.clear();
  for (int i = 0; i < 2000; ++i) ++count[pick("random", {1, 0, 6})];
  for (PortId port : {0, 3}) EXPECT_NEAR(count[port], 1000, 120);
}

TEST_F(Selection, RoundRobinTurnsThroughThePorts) {
  std::vector<PortId> ports;
  for (int i = 0; i < 5; ++i) ports.push_back(pick("round-robin", {1, 1, 1}));
  EXPECT_EQ(ports, (std::vector<PortId>{0, 2, 3, 0, 2}));
  EXPECT_EQ(pick("round-robin", {1, 1, 0}), 0);
}

TEST_F(Selection, StraightKeepsTheDirection) {
  EXPECT_EQ(pick("straight", {1, 1, 1}, 3), 2);  // arrived from the south, continues to the north
  EXPECT_EQ(pick("straight", {1, 1, 1}, 2), 3);
  EXPECT_EQ(pick("straight", {1, 0, 1}, 3), 0);
  EXPECT_EQ(pick("straight", {0, 1, 1}), 2);
}

TEST_F(Selection, MostFreeVcsTakesTheEmptiestPortAndTurnsOnTies) {
  outputs_.vcs = {{0, 0b0001}, {2, 0b1110}, {3, 0b0110}};
  EXPECT_EQ(pick("most-free-vcs", {1, 2, 2}), 2);
  outputs_.vcs = {{0, 0b0011}, {2, 0b0110}, {3, 0b1100}};
  std::vector<PortId> ports;
  for (int i = 0; i < 4; ++i) ports.push_back(pick("most-free-vcs", {1, 2, 4}));
  EXPECT_EQ(ports, (std::vector<PortId>{3, 0, 2, 3}));
}

TEST_F(Selection, MostCreditsTakesThePortWithMostRoom) {
  outputs_.credit = {{0, 3}, {2, 9}, {3, 4}};
  EXPECT_EQ(pick("most-credits", {1, 1, 1}), 2);
  EXPECT_EQ(pick("most-credits", {1, 0, 1}), 3);
}

TEST_F(Selection, AutoIsTheUsualOneOfTheAlgorithm) {
  outputs_.vcs = {{0, 0b0001}, {2, 0b1110}, {3, 0b0110}};
  const auto usual = make_selection(mesh_, algorithm("duato"));
  const std::vector<VcMask> free = {1, 2, 2};
  EXPECT_EQ(usual->select(head(5, 15), kThree.data(), free.data(), 3, outputs_), 1u);
  RoutingSettings s = algorithm("duato");
  s.selection = "first";
  EXPECT_EQ(make_selection(mesh_, s)->select(head(5, 15), kThree.data(), free.data(), 3, outputs_), 0u);
  s.selection = "mostfree";
  EXPECT_THROW(make_selection(mesh_, s), ConfigurationError);
}

}  // namespace flitmend
