// SPDX-License-Identifier: Apache-2.0
// Tables of routes: what is read, what is refused with its line; up*/down* on graphs from files.
#include <gtest/gtest.h>

#include "base/errors.h"
#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"
#include "protocols/routing/route_table.h"
#include "support/files.h"
#include "topologies/file.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

/// a and b are joined by two links, b and c by one.
const FileTopology& line() {
  static const FileTopology t(R"(<graphml><graph><node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"/><edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>)",
                              "line.graphml");
  return t;
}

const std::string kWhole =
    "router,destination,next,class\n"
    "router_a, router_b, to_b_2, 1\n"
    "0,router_c,to_b,0\n"
    "\n"
    "1,0,to_a,0\n"
    "1,0,to_a_2,0\n"
    "1,2,2,0\n"
    "2,0,1,0\n"
    "2,1,router_b,0\n";

std::string refused(const std::string& text) {
  try {
    RouteTable::from_csv(line(), text, "net.csv");
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RouteTable, IsReadLineByLine) {
  const RouteTable table = RouteTable::from_csv(line(), kWhole, "net.csv");
  EXPECT_EQ(table.classes(), 2u);
  EXPECT_EQ(table.most_hops(), 2u);
  ASSERT_EQ(table.hops(0, 1).size(), 1u);
  EXPECT_EQ(table.hops(0, 1)[0], (RouteTable::Hop{1, 1}));
  ASSERT_EQ(table.hops(1, 0).size(), 2u);
  EXPECT_EQ(table.hops(1, 0)[0], (RouteTable::Hop{0, 0}));
  EXPECT_EQ(table.hops(1, 0)[1], (RouteTable::Hop{1, 0}));
  EXPECT_EQ(table.greatest_detour(line()), 0u);
}

TEST(RouteTable, RefusesWithTheLine) {
  const std::string head = "router,destination,next\n";
  EXPECT_EQ(refused(""), "net.csv:1: the table has no hops; give one for every two nodes");
  EXPECT_NE(refused("a,b,c\n").find("net.csv:1: the first line must name the columns"), std::string::npos);
  EXPECT_NE(refused(head + "0,1\n").find("net.csv:2: 2 values; the first line names 3 columns"),
            std::string::npos);
  EXPECT_NE(refused(head + "0,2,to_b\nrouter_z,1,0\n").find("net.csv:3: router_z is not a router"),
            std::string::npos);
  EXPECT_NE(refused(head + "3,1,0\n").find("net.csv:2: 3 is not a router"), std::string::npos);
  EXPECT_NE(refused(head + "0,2,2\n").find("net.csv:2: no link leads from router_a to router_c"),
            std::string::npos);
  EXPECT_NE(refused(head + "0,2,1\n").find("net.csv:2: several links lead from router_a to router_b"),
            std::string::npos);
  EXPECT_NE(refused(head + "0,0,1\n").find("net.csv:2: the message is at its destination"),
            std::string::npos);
  EXPECT_NE(refused(head + "1,2,2\n1,2,to_c\n").find("net.csv:3: the same hop as in line 2"),
            std::string::npos);
  EXPECT_NE(refused(head + "\"0\",1,2\n").find("net.csv:2: a quotation mark"), std::string::npos);
  EXPECT_NE(refused("router,destination,next,class\n1,2,2,16\n").find("net.csv:2: class 16"),
            std::string::npos);
  EXPECT_NE(refused(head + "1,2,2\n").find("net.csv: no line says how router_a sends to router_b"),
            std::string::npos);
  std::string gap = kWhole;
  gap.replace(gap.find(", 1\n"), 4, ", 2\n");
  EXPECT_NE(refused(gap).find("net.csv: class 1 has no hop"), std::string::npos);
}

TEST(RouteTable, NamesEscapes) {
  const std::string hops = "0,1,to_b_2,yes\n1,0,to_a,no\n0,2,to_b,yes\n1,2,2,no\n2,0,1,yes\n2,1,1,no\n";
  const RouteTable table = RouteTable::from_csv(line(), "router,destination,next,escape\n" + hops, "net.csv");
  EXPECT_EQ(table.hops(0, 1)[0], (RouteTable::Hop{1, 0, true}));
  EXPECT_FALSE(table.hops(1, 2)[0].escape);
  EXPECT_NE(
      refused("router,destination,next,escape,class\n0,1,to_b,maybe,0\n").find("net.csv:2: escape is maybe"),
      std::string::npos);
  for (const char* head : {"router,destination,next,escape,escape\n", "router,destination,next,class,class\n",
                           "router,destination,next,class,escape,class\n", "router,destination,next,level\n"})
    EXPECT_NE(refused(head).find("the first line must name the columns"), std::string::npos) << head;
}

TEST(RouteTable, FollowsOneWayLinks) {
  const FileTopology t(R"(<graphml><graph edgedefault="directed">
<node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"/><edge source="b" target="c"/><edge source="c" target="a"/>
</graph></graphml>)",
                       "net.graphml");
  const RouteTable table = RouteTable::shortest_paths(t, Metric(RoutingSettings()));
  for (RouterId here = 0; here < 3; ++here)
    for (NodeId to = 0; to < 3; ++to) {
      if (here == to) continue;
      ASSERT_EQ(table.hops(here, to).size(), 1u);
      EXPECT_EQ(t.neighbour(here, table.hops(here, to)[0].port)->router, (here + 1) % 3);
    }
  EXPECT_EQ(table.greatest_detour(t), 0u);
  const auto against = [&](const std::string& next) {
    try {
      RouteTable::from_csv(t, "router,destination,next\n1,0," + next + "\n", "net.csv");
    } catch (const ConfigurationError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(against("router_a").find("no link leads from router_b to router_a"), std::string::npos);
  EXPECT_NE(against("from_a").find("from_a is not a router"), std::string::npos);
}

TEST(RouteTable, KnowsDetoursAndCircles) {
  const Torus ring({4});
  const auto table = [&](const std::string& hops) {
    std::string text = "router,destination,next\n" + hops;
    for (unsigned r = 0; r < 4; ++r)
      for (unsigned d = 0; d < 4; ++d)
        if (r != d && !(d == 3 && (r == 0 || r == 2)))
          text += std::to_string(r) + "," + std::to_string(d) + "," +
                  std::to_string((r + ((d + 4 - r) % 4 == 3 ? 3 : 1)) % 4) + "\n";
    return RouteTable::from_csv(ring, text, "ring.csv").greatest_detour(ring);
  };
  EXPECT_EQ(table("0,3,3\n2,3,3\n"), 0u);
  EXPECT_EQ(table("0,3,1\n2,3,3\n"), 2u) << "from 0 to 3 over 1 and 2";
  EXPECT_EQ(table("0,3,1\n2,3,1\n"), 4u) << "1 and 2 send back and forth";
}

TEST(RouteTable, ShortestPathsTakeTheFirstPort) {
  const Mesh mesh({3, 3});
  const RouteTable table = RouteTable::shortest_paths(mesh, Metric());
  EXPECT_EQ(table.greatest_detour(mesh), 0u);
  for (RouterId r = 0; r < 9; ++r)
    for (NodeId d = 0; d < 9; ++d) EXPECT_EQ(table.hops(r, d).size(), r == d ? 0u : 1u);
}

// Some editors put a byte order mark before the text, or write UTF-16.
TEST(Table, FilesInUnicodeAreReadOrRefusedWithTheReason) {
  const test::TemporaryFolder folder;
  RoutingSettings settings = algorithm("table");
  settings.options.set("table", folder / "t.csv");
  test::write_file(folder / "t.csv", "\xef\xbb\xbf" + std::string(kWhole));
  EXPECT_NE(make_routing(line(), 2, settings), nullptr);
  test::write_file(folder / "t.csv",
                   "\xff\xfe"
                   "r");
  EXPECT_EQ(test::message_of<ConfigurationError>([&] { make_routing(line(), 2, settings); }),
            (folder / "t.csv") + ":1: the file is in UTF-16; save it as UTF-8");
}

/// From a to d: one slow link, or three quick ones over b and c; e hangs on d.
const FileTopology& slow_shortcut() {
  static const FileTopology t(R"(<graphml><key id="l" for="edge" attr.name="latency" attr.type="int"/>
<graph><node id="a"/><node id="b"/><node id="c"/><node id="d"/><node id="e"/>
<edge source="a" target="d"><data key="l">100</data></edge>
<edge source="a" target="b"/><edge source="b" target="c"/><edge source="c" target="d"/>
<edge source="d" target="e"/></graph></graphml>)",
                              "slow.graphml");
  return t;
}

RoutingSettings by(const char* algorithm, const char* metric) {
  return {.algorithm = algorithm, .options = {{"metric", metric}}};
}

TEST(Metric, IsTheCyclesOfAHeadAtZeroLoad) {
  RoutingSettings s = by("table", "latency");
  s.hop_cycles = {.stages = 4, .link_latency = 2, .flit_bits = 64};
  const Metric latency(s);
  EXPECT_EQ(latency.length(slow_shortcut(), 0, 0), 104u);
  EXPECT_EQ(latency.length(slow_shortcut(), 0, 1), 6u) << "link.latency";
  EXPECT_EQ(Metric().length(slow_shortcut(), 0, 0), 1u);
  const FileTopology narrow(R"(<graphml><key id="w" for="edge" attr.name="width" attr.type="int"/>
<graph><node id="a"/><node id="b"/><edge source="a" target="b"><data key="w">20</data></edge></graph></graphml>)",
                            "narrow.graphml");
  EXPECT_EQ(latency.length(narrow, 0, 0), 4u + 2 + 3) << "the last of 4 parts of a flit comes 3 cycles later";
}

// Both algorithms take the path that the metric says, and both have a proof or a check as before.
TEST(Metric, DecidesWhichPathIsTheShortest) {
  for (const char* algorithm : {"table", "up-down"})
    for (const bool latency : {false, true}) {
      const RoutingSettings s = by(algorithm, latency ? "latency" : "hops");
      const auto routing = make_routing(slow_shortcut(), 1, s);
      const std::vector<RouteCandidate> list = candidates(*routing, head(0, 4));
      ASSERT_EQ(list.size(), 1u) << algorithm;
      EXPECT_EQ(list[0].port, latency ? 1 : 0) << algorithm;
      EXPECT_EQ(routing_properties(slow_shortcut(), s).extra_hops, latency ? 2u : 0u) << algorithm;
      const ChannelMap channels(*routing);
      const DeadlockAnalysis analysis = analyse_deadlock(*routing, channels);
      EXPECT_EQ(analysis.verdict, DeadlockVerdict::free) << algorithm;
      EXPECT_TRUE(analysis.routes.sound()) << algorithm;
    }
}

TEST(Metric, DoesNotGoWithATableOfHops) {
  RoutingSettings s = by("table", "latency");
  s.options = {{"metric", "latency"}, {"table", kWhole}};
  EXPECT_THROW(routing_properties(line(), s), KeyError);
  s.options = {{"metric", "hops"}, {"table", kWhole}};
  EXPECT_NO_THROW(routing_properties(line(), s));
}

TEST(Table, TheCheckerSaysWhetherItIsFreeOfDeadlock) {
  const Torus ring({5});
  for (const bool dateline : {false, true}) {
    std::string text = "router,destination,next,class\n";
    for (unsigned r = 0; r < 5; ++r)
      for (unsigned d = 0; d < 5; ++d) {
        if (r == d) continue;
        const bool plus = (d + 5 - r) % 5 <= 2;
        const unsigned vc_class = !dateline ? 0 : plus ? r > d : r < d;
        text += std::to_string(r) + "," + std::to_string(d) + "," + std::to_string((r + (plus ? 1 : 4)) % 5) +
                "," + std::to_string(vc_class) + "\n";
      }
    RoutingSettings settings = algorithm("table");
    settings.options.set("table", text);
    const auto routing = make_routing(ring, 2, settings);
    const DeadlockAnalysis a = analyse_deadlock(*routing, ChannelMap(*routing));
    EXPECT_EQ(a.verdict, dateline ? DeadlockVerdict::free : DeadlockVerdict::can_deadlock);
    EXPECT_TRUE(a.routes.sound());
  }
}

}  // namespace
}  // namespace flitmend
