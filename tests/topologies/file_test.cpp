// SPDX-License-Identifier: Apache-2.0
// Networks from GraphML: what is read, and what is refused, with its line.
#include <gtest/gtest.h>

#include <cmath>

#include "base/errors.h"
#include "topologies/capacity.h"
#include "topologies/file.h"
#include "topologies/mesh.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// Lines 2 and 3 declare the data; the content of the graph starts in line 5.
std::string graphml(const std::string& content) {
  return R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="kind"/><key id="d1" for="node" attr.name="x"/>
<key id="d2" for="edge" attr.name="latency"/><key id="d3" for="edge" attr.name="width"/>
<graph edgedefault="undirected">
)" + content +
         "</graph></graphml>";
}

const std::string kPair = "<node id=\"a\"/>\n<node id=\"b\"/>\n<edge source=\"a\" target=\"b\"/>\n";

std::string refusal(const std::string& text) {
  try {
    FileTopology(text, "net.graphml");
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "accepted";
}

/// What is said of the content of a graph, and where.
void expect_refused(const std::string& content, int line, const std::string& part) {
  const std::string said = refusal(graphml(content));
  EXPECT_EQ(said.rfind("net.graphml:" + std::to_string(line) + ":", 0), 0u) << said;
  EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST(FileTopology, ReadsRoutersSwitchesAndLinks) {
  const FileTopology t(graphml("<edge source=\"hub\" target=\"a\"><data key=\"d2\"> 7 </data></edge>\n"
                               "<node id=\"a\"/><node id=\"hub\"><data key=\"d0\">switch</data></node>\n"
                               "<node id=\"b\"/>\n"
                               "<edge source=\"b\" target=\"hub\"/><edge source=\"b\" target=\"hub\"/>\n"),
                       "net.graphml");
  EXPECT_EQ(t.description(), "network of 2 nodes, 1 switch, 3 links from a file");
  ASSERT_EQ(t.node_count(), 2u);
  ASSERT_EQ(t.router_count(), 3u);
  EXPECT_EQ(t.router_name(0), "router_a");
  EXPECT_EQ(t.router_name(1), "router_b");
  EXPECT_EQ(t.router_name(2), "switch_hub");
  EXPECT_TRUE(t.is_switch(2));
  EXPECT_EQ(t.port_name(1, 0), "to_hub");
  EXPECT_EQ(t.port_name(1, 1), "to_hub_2");
  EXPECT_EQ(t.port_name(2, 0), "to_a");
  EXPECT_EQ(t.neighbour(2, 1), (RouterPort{1, 0}));
  EXPECT_EQ(t.link_latency(2, 0), 7u);
  EXPECT_EQ(t.link_latency(0, 0), 7u);
  EXPECT_EQ(t.link_latency(1, 1), 0u);
  EXPECT_EQ(t.distance(0, 1), 2u);
  EXPECT_EQ(t.diameter(), 2u);
  EXPECT_EQ(t.bisection_channels(), 2u) << "the link of a, in both directions";
}

TEST(FileTopology, LinksHaveWidths) {
  const FileTopology t(graphml("<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\n"
                               "<edge source=\"a\" target=\"b\"><data key=\"d3\"> 24 </data></edge>\n"
                               "<edge source=\"b\" target=\"c\"><data key=\"d2\">5</data></edge>\n"),
                       "net.graphml");
  EXPECT_EQ(t.link_width(0, 0), 24u);
  EXPECT_EQ(t.link_width(1, 0), 24u);
  EXPECT_EQ(t.link_width(1, 1), 0u);
  EXPECT_EQ(t.link_latency(0, 0), 0u);
  EXPECT_EQ(narrowest_link(t, 64), (RouterPort{0, 0}));
  EXPECT_EQ(narrowest_link(t, 24), std::nullopt);
}

TEST(LinkWidth, AFlitTakesAsManyCyclesAsItHasParts) {
  for (const unsigned wide : {0u, 64u, 65u, 32768u}) EXPECT_EQ(cycles_per_flit(wide, 64), 1u) << wide;
  EXPECT_EQ(cycles_per_flit(63, 64), 2u);
  EXPECT_EQ(cycles_per_flit(32, 64), 2u);
  EXPECT_EQ(cycles_per_flit(31, 64), 3u);
  EXPECT_EQ(cycles_per_flit(1, 64), 64u);
}

/// Two pairs of nodes, joined by a link of 16 bits and one of 24: with flits of 64 bits they carry a quarter
/// and a third of a flit per cycle in each direction.
TEST(LinkWidth, CapacityCountsNarrowLinksInPart) {
  const FileTopology t(graphml("<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><node id=\"d\"/>\n"
                               "<edge source=\"a\" target=\"b\"/><edge source=\"c\" target=\"d\"/>\n"
                               "<edge source=\"a\" target=\"c\"><data key=\"d3\">16</data></edge>\n"
                               "<edge source=\"b\" target=\"d\"><data key=\"d3\">24</data></edge>\n"),
                       "net.graphml");
  EXPECT_DOUBLE_EQ(capacity_flits(t), 2.0 * 4 / 4);
  EXPECT_DOUBLE_EQ(capacity_flits(t, 16), 2.0 * 4 / 4);
  EXPECT_DOUBLE_EQ(capacity_flits(t, 64), 2.0 * 2 * (1.0 / 4 + 1.0 / 3) / 4);
}

/// The cut with the fewest links is not the one with the least width.
TEST(LeastCut, WeighsLinks) {
  const Mesh line({4});
  const auto rate = [](RouterId r, PortId p) {
    const RouterId left = p == 0 ? r : r - 1;  // the link from there to the right
    return left == 1 ? 0.75 : 1.0;
  };
  for (const NodeId first : {1u, 2u, 3u}) {
    ASSERT_EQ(line.neighbour(1, 0)->router, 2u);
    EXPECT_DOUBLE_EQ(least_cut(line, first, rate), first == 2 ? 0.75 : 1.0);
  }
}

TEST(FileTopology, DataMayHaveDefaults) {
  const FileTopology t(R"(<graphml>
<key id="k" for="node" attr.name="kind"><default>switch</default></key>
<key id="l" for="edge" attr.name="latency"><default>3</default></key>
<key id="n" for="all" attr.name="colour"/>
<graph>
<node id="s"/><node id="a"><data key="k">node</data><data key="n">red</data></node>
<node id="b"><data key="k">node</data></node>
<edge source="a" target="s"><data key="n">red</data></edge><edge source="s" target="b"><data key="l">1</data></edge>
</graph></graphml>)",
                       "net.graphml");
  EXPECT_EQ(t.node_count(), 2u);
  EXPECT_EQ(t.link_latency(0, 0), 3u);
  EXPECT_EQ(t.link_latency(1, 0), 1u);
}

TEST(FileTopology, IsDrawnWhereTheFileSaysOrOnACircle) {
  const auto drawn = [](const std::string& more) {
    const FileTopology t(
        "<graphml><key id=\"x\" for=\"node\" attr.name=\"x\"/>"
        "<key id=\"y\" for=\"node\" attr.name=\"y\"/><graph>"
        "<node id=\"a\"><data key=\"x\">2.5</data><data key=\"y\">-1</data></node>"
        "<node id=\"b\">" +
            more + "</node><edge source=\"a\" target=\"b\"/></graph></graphml>",
        "net.graphml");
    return t.position(0).value();
  };
  const MapPosition given = drawn("<data key=\"x\">0</data><data key=\"y\">0</data>");
  EXPECT_EQ(given.x, 2.5);
  EXPECT_EQ(given.y, -1);
  const MapPosition circle = drawn("<data key=\"x\">0</data>");
  EXPECT_NEAR(std::hypot(circle.x, circle.y), 1, 1e-9);
}

TEST(FileTopology, RefusesWithTheLine) {
  expect_refused(kPair + "<node id=\"a\"/>\n", 8, "a second <node> with id a; the first is in line 5");
  expect_refused("<node id=\"a b\"/>\n" + kPair, 5, "only letters, digits and underscores");
  expect_refused(kPair + "<edge source=\"a\" target=\"q\"/>\n", 8, "target of the edge is \"q\"");
  expect_refused(kPair + "\n<edge source=\"q\" target=\"a\"/>\n", 9, "source of the edge is \"q\"");
  expect_refused(kPair + "<edge source=\"a\" target=\"a\"/>\n", 8, "joins a to itself");
  expect_refused(kPair + "<node id=\"c\"/>\n", 8, "no path leads from a to c; a network is connected");
  expect_refused(kPair + "<node id=\"c\"><data key=\"d0\">router</data></node>\n", 8, "kind is \"router\"");
  expect_refused(kPair + "<node id=\"c\"><data key=\"d1\">east</data></node>\n", 8, "x is \"east\"");
  for (const char* latency : {"0", "1025", "-1", "2.5", "", "many"})
    expect_refused(kPair + "<edge source=\"a\" target=\"b\"><data key=\"d2\">" + latency + "</data></edge>\n",
                   8, "latency is ");
  for (const char* width : {"0", "32769", "-8", "2.5", "", "x16"})
    expect_refused(kPair + "<edge source=\"a\" target=\"b\"><data key=\"d3\">" + width + "</data></edge>\n",
                   8, "width is ");
  expect_refused(kPair + "<edge source=\"a\" target=\"b\" directed=\"\"/>\n", 8, "directed is \"\"");
  expect_refused(kPair + "<edge source=\"a\" target=\"b\" directed=\"yes\"/>\n", 8,
                 "directed is \"yes\"; write true or false");
  expect_refused(kPair + "<edge source=\"a\" target=\"b\"><data key=\"z\">4</data></edge>\n", 8,
                 "which no <key> declares");
  expect_refused(kPair + "<hyperedge/>\n", 8, "a hyperedge");
  expect_refused(kPair + "<node id=\"c\"><graph/></node>\n", 8, "a second <graph>");
  expect_refused(kPair + "<node id=\"c\"></edge>\n", 8, "not well-formed XML: mismatched tag");
}

TEST(FileTopology, HasOneWayLinks) {
  const FileTopology t(R"(<graphml>
<key id="l" for="edge" attr.name="latency"/>
<graph edgedefault="directed">
<node id="a"/><node id="b"/><node id="c"/><node id="d"/>
<edge source="a" target="b"><data key="l">2</data></edge>
<edge source="b" target="a"><data key="l">5</data></edge>
<edge source="b" target="c"/><edge source="c" target="d"/><edge source="d" target="a"/>
<edge source="a" target="b"/><edge source="a" target="c" directed="false"/>
</graph></graphml>)",
                       "net.graphml");
  EXPECT_EQ(t.description(), "network of 4 nodes, 7 links (6 one-way) from a file");
  EXPECT_TRUE(t.has_one_way_links());
  EXPECT_EQ(t.channel_count(), 8u);
  struct Expected {
    RouterId router;
    const char* name;
    RouterId far;
    bool carries;
    unsigned latency;
  };
  const Expected expected[] = {
      {0, "to_b", 1, true, 2},    {0, "from_b", 1, false, 5}, {0, "from_d", 3, false, 0},
      {0, "to_b_2", 1, true, 0},  {0, "to_c", 2, true, 0},    {1, "from_a", 0, false, 2},
      {1, "to_a", 0, true, 5},    {1, "to_c", 2, true, 0},    {1, "from_a_2", 0, false, 0},
      {2, "from_b", 1, false, 0}, {2, "to_d", 3, true, 0},    {2, "to_a", 0, true, 0},
      {3, "from_c", 2, false, 0}, {3, "to_a", 0, true, 0}};
  PortId port = 0;
  for (std::size_t i = 0; i < std::size(expected); ++i, ++port) {
    const Expected& e = expected[i];
    if (i > 0 && e.router != expected[i - 1].router) port = 0;
    EXPECT_EQ(t.port_name(e.router, port), e.name);
    EXPECT_EQ(t.neighbour(e.router, port)->router, e.far) << e.name;
    EXPECT_EQ(t.carries_flits(e.router, port), e.carries) << e.router << ' ' << e.name;
    EXPECT_EQ(t.link_latency(e.router, port), e.latency) << e.router << ' ' << e.name;
  }
  EXPECT_EQ(t.distance(0, 3), 2u) << "over c";
  EXPECT_EQ(t.distance(3, 2), 2u) << "over a";
  EXPECT_EQ(t.distance(2, 1), 2u) << "over a, not against the link from b";
  EXPECT_EQ(t.diameter(), 2u);
}

TEST(FileTopology, EveryNodeReachesEveryRouterOverOneWayLinks) {
  const std::string head = "<graphml><graph edgedefault=\"directed\">\n<node id=\"a\"/><node id=\"b\"/>\n";
  EXPECT_NE(refusal(head + "<edge source=\"a\" target=\"b\"/></graph></graphml>")
                .find("no path leads from b to a; a network is connected, over one-way links too"),
            std::string::npos);
  EXPECT_EQ(
      refusal(head + "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/></graph></graphml>"),
      "accepted");
}

TEST(FileTopology, TheBisectionOfOneWayLinksIsTheLesserCut) {
  // From {a, b} to {c, d} lead three channels, back one.
  const FileTopology t(R"(<graphml><graph edgedefault="directed">
<node id="a"/><node id="b"/><node id="c"/><node id="d"/>
<edge source="a" target="b" directed="false"/><edge source="c" target="d" directed="false"/>
<edge source="a" target="c"/><edge source="b" target="d"/><edge source="a" target="d"/>
<edge source="d" target="b"/>
</graph></graphml>)",
                       "net.graphml");
  EXPECT_EQ(least_cut(t, 2), 1u);
  EXPECT_EQ(t.bisection_channels(), 2u);
  EXPECT_DOUBLE_EQ(capacity_flits(t), 2.0 * 2 / 4);
}

TEST(FileTopology, RefusesWhatIsNoNetwork) {
  EXPECT_NE(refusal("").find("not well-formed"), std::string::npos);
  EXPECT_NE(refusal("<graphml/>").find("there is no <graph>"), std::string::npos);
  EXPECT_NE(refusal("<svg/>").find("<svg>, where <graphml> is expected"), std::string::npos);
  EXPECT_NE(refusal(graphml("<node id=\"a\"/>")).find("1 node with a processing element"), std::string::npos);
  EXPECT_NE(
      refusal("<!DOCTYPE graphml [<!ENTITY e \"x\">]><graphml/>").find("DOCTYPE is not supported; remove it"),
      std::string::npos);
  for (const char* value : {"", "both"})
    EXPECT_NE(
        refusal("<graphml><graph edgedefault=\"" + std::string(value) + "\"/></graphml>").find("edgedefault"),
        std::string::npos);
}

TEST(FileTopology, IsNamedByItsKey) {
  NetworkSettings settings;
  settings.topology = "file";
  const auto refused = [&] {
    try {
      make_topology(settings);
    } catch (const ConfigurationError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused(), "network.graph: topology file needs it; give the name of a GraphML file");
  settings.graph = "missing.graphml";
  EXPECT_EQ(refused(), "cannot read missing.graphml: No such file or directory");
  settings.graph = "<graphml>";
  EXPECT_EQ(refused().rfind("network.graph:1:", 0), 0u) << refused();
}

TEST(LeastCut, OfAMeshIsItsBisection) {
  for (const auto& radices : {std::vector<std::uint32_t>{4, 4}, {6, 2}, {3, 4}}) {
    const Mesh mesh(radices);
    EXPECT_EQ(2 * least_cut(mesh, mesh.node_count() / 2), 2 * mesh.radix(0)) << mesh.description();
  }
  // Five links of a mesh with six nodes separate its corner, the first node, and the other five: two of them.
  EXPECT_EQ(least_cut(Mesh({3, 2}), 1), 2u);
}

}  // namespace
}  // namespace flitmend
