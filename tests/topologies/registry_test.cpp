// SPDX-License-Identifier: Apache-2.0
#include "topologies/registry.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "contracts/every_topology.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

NetworkSettings named(const std::string& topology) {
  NetworkSettings s;
  s.topology = topology;
  return s;
}

std::string refusal(const NetworkSettings& s) {
  return test::message_of([&] { make_topology(s); });
}

}  // namespace

TEST(TopologyRegistry, BuildsEachKind) {
  NetworkSettings s = named("mesh");
  s.size = {4, 3};
  EXPECT_EQ(make_topology(s)->description(), "4x3 mesh");
  s.topology = "torus";
  EXPECT_EQ(make_topology(s)->description(), "4x3 torus");
  s = named("hypercube");
  s.dimensions = 5;
  EXPECT_EQ(make_topology(s)->node_count(), 32u);
  s = named("kns");
  s.k = 5;
  s.n = 3;
  EXPECT_EQ(make_topology(s)->description(), "KNS(5, 3)");
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryTopology, testing::ValuesIn(topologies().entries()),
                         test_name<TopologyEntry>);

TEST(TopologyRegistry, CompletedSettingsStayAsTheyAre) {
  NetworkSettings s = named("hypercube");
  s.complete();
  EXPECT_EQ(s.dimensions, 6);
  EXPECT_TRUE(s.size.empty());
  s.complete();
  EXPECT_EQ(s.dimensions, 6);
}

TEST(TopologyRegistry, RefusesWhatDoesNotBelong) {
  const auto refuses = [](const char* key, const NetworkSettings& s) {
    EXPECT_EQ(refusal(s),
              formatted("network.%1%: does not belong to topology %2%, whose size is given by %3%; "
                        "remove it",
                        key, s.topology, joined(topologies().at(s.topology).size_keys, ", ")));
  };
  NetworkSettings s = named("hypercube");
  s.size = {8, 8};
  refuses("size", s);
  s = named("mesh");
  s.k = 8;
  refuses("k", s);
  s = named("kns");
  s.dimensions = 3;
  refuses("dimensions", s);
  s = named("torus");
  s.n = 2;
  refuses("n", s);
}

TEST(TopologyRegistry, RefusesUnknownNamesAndSizes) {
  EXPECT_EQ(refusal(named("tours")), "unknown topology 'tours' (did you mean 'torus'?)");
  NetworkSettings s = named("mesh");
  s.size = {4, -1};
  EXPECT_EQ(refusal(s), "network.size: -1 is outside 1 to 1048576");
  s.size = {4, std::int64_t{1} << 40};
  EXPECT_EQ(refusal(s), "network.size: 1099511627776 is outside 1 to 1048576");
  s = named("torus");
  s.size = {8, 1};
  EXPECT_NE(refusal(s).find("a torus needs at least 2"), std::string::npos);
}

}  // namespace flitmend
