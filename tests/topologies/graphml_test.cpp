// SPDX-License-Identifier: Apache-2.0
// GraphML that would describe another network than its author means is refused, with line and column and what
// to do. What editors add for their pictures is not.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/errors.h"
#include "topologies/file.h"

namespace flitmend {
namespace {

struct Refused {
  const char* text;   ///< its first line is line 1
  const char* place;  ///< "line:column"
  const char* says;
};

std::string answer_to(const std::string& text) {
  try {
    FileTopology(text, "net.graphml");
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const Refused& one) {
  const std::string said = answer_to(one.text);
  EXPECT_TRUE(said.starts_with("net.graphml:" + std::string(one.place) + ": ")) << said << "\n" << one.text;
  EXPECT_NE(said.find(one.says), std::string::npos) << said;
}

TEST(Graphml, AttributesInPlaceOfDataAreRefused) {
  for (const Refused& one : std::vector<Refused>{
           {"<graphml><graph><node id='a'/><node id='b'/>\n<edge source='a' target='b' latency='4'/>"
            "</graph></graphml>",
            "2:1", "write it as data: <data key=\"latency\">…</data>, with <key id=\"latency\" for=\"edge\""},
           {"<graphml><graph><node id='a'/><node id='b'/>\n <edge source='a' target='b' width='8'/>"
            "</graph></graphml>",
            "2:2", "for=\"edge\" attr.name=\"width\"/> before the graph"},
           {"<graphml><graph>\n<node id='a' kind='switch'/></graph></graphml>", "2:1",
            "<data key=\"kind\">…</data>"},
           {"<graphml><graph>\n<node id='a' x='1'/></graph></graphml>", "2:1", "<data key=\"x\">…</data>"},
           {"<graphml><graph>\n<node id='a' weight='1'/></graph></graphml>", "2:1",
            "attribute \"weight\" of <node> is not read"}})
    expect_refused(one);
}

TEST(Graphml, NamesInAnotherCaseAreRefused) {
  for (const Refused& one : std::vector<Refused>{
           {"<graphml><graph><node id='a'/>\n<Node id='b'/></graph></graphml>", "2:1",
            "<Node> is not read (did you mean 'node'?)"},
           {"<graphml><graph><node id='a'/><node id='b'/>\n<edge Source='a' target='b'/></graph></graphml>",
            "2:1", "attribute \"Source\" of <edge> is not read (did you mean 'source'?)"},
           {"<graphml>\n<key id='l' for='Edge' attr.name='latency'/><graph/></graphml>", "2:1",
            "for is \"Edge\" (did you mean 'edge'?); write node, edge or all"},
           {"<graphml>\n<key id='l' for='edge' Attr.Name='latency'/><graph/></graphml>", "2:1",
            "attribute \"Attr.Name\" of <key> is not read"},
           {"<graphml><key id='l' for='edge' attr.name='Latency'/><graph><node id='a'/><node id='b'/>\n"
            "<edge source='a' target='b'>\n<data key='l'>4</data></edge></graph></graphml>",
            "3:1", "data \"Latency\" of an edge is not read (did you mean 'latency'?)"},
           {"<graphml><graph>\n<node id='a'/><node id='b'/></graph>\n<Edge source='a' target='b'/></graphml>",
            "3:1", "<Edge> is not read (did you mean 'edge'?)"},
           {"<graphml>\n<graph edgedefault='Directed'/></graphml>", "2:1", "edgedefault is \"Directed\""}})
    expect_refused(one);
}

TEST(Graphml, KeysThatDoNotFitTheirDataAreRefused) {
  for (const Refused& one : std::vector<Refused>{
           {"<graphml><key id='l' for='node' attr.name='latency'/><graph><node id='a'/><node id='b'/>\n"
            "<edge source='a' target='b'><data key='l'>4</data></edge></graph></graphml>",
            "2:29", "data of key l in <edge>, but the key is for=\"node\"; declare it with for=\"edge\""},
           {"<graphml>\n<key id='l' for='node' "
            "attr.name='latency'><default>4</default></key><graph/></graphml>",
            "2:44", "data \"latency\" of a node is not read"},
           {"<graphml><graph><node id='a'/><node id='b'/><edge source='a' target='b'/></graph>\n"
            "<key id='l' for='edge' attr.name='latency'><default>9</default></key></graphml>",
            "2:1", "a <key> after the <graph>; put it before"},
           {"<graphml><graph>\n<key id='l' for='edge' attr.name='latency'/></graph></graphml>", "2:1",
            "<key> in <graph>; it belongs in graphml"},
           {"<graphml><key id='l' for='edge' attr.name='latency'/>\n<key id='l' for='edge' "
            "attr.name='width'/>"
            "<graph/></graphml>",
            "2:1", "a second <key> with id l"},
           {"<graphml><key id='l' for='edge' attr.name='latency'/>\n<key id='m' for='all' "
            "attr.name='latency'/><graph/></graphml>",
            "2:1", "a second <key> for latency of an edge; the first has the id l"},
           {"<graphml>\n<key id='l' for='edge' "
            "attr.name='latency'><default>many</default></key><graph/></graphml>",
            "2:44", "latency is \"many\""}})
    expect_refused(one);
}

TEST(Graphml, ASecondValueIsRefused) {
  for (const Refused& one : std::vector<Refused>{
           {"<graphml><key id='k' for='node' attr.name='kind'/><graph>\n<node id='a'><data "
            "key='k'>node</data>"
            "<data key='k'>switch</data></node></graph></graphml>",
            "2:39", "a second kind of the node; remove one"},
           {"<graphml><key id='l' for='edge' attr.name='latency'/><graph><node id='a'/><node id='b'/>\n<edge "
            "source='a' target='b'><data key='l'>1</data><data key='l'>2</data></edge></graph></graphml>",
            "2:51", "a second latency of the edge; remove one"},
           {"<graphml><key id='l' for='edge' "
            "attr.name='latency'><default>1</default>\n<default>2</default></key>"
            "<graph/></graphml>",
            "2:1", "a second <default>"}})
    expect_refused(one);
}

TEST(Graphml, SaysWhetherEdgesAreDirected) {
  const auto graph = [](const std::string& word) {
    return "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>\n<edge source='a' "
           "target='b' "
           "directed='" +
           word + "'/><edge source='b' target='a'/></graph></graphml>";
  };
  for (const std::string word : {"True", "yes", ""})
    expect_refused({graph(word).c_str(), "2:1", "write true or false, or remove it"});
  for (const std::string word : {"true", "1", "false", "0"}) EXPECT_EQ(answer_to(graph(word)), "accepted");
}

TEST(Graphml, OtherDataAreRefusedUnlessTheyAreRemarks) {
  const auto with = [](const std::string& name) {
    return "<graphml><key id='d' for='edge' attr.name='" + name +
           "'/><graph><node id='a'/><node id='b'/>\n<edge source='a' target='b'><data key='d'>7</data></edge>"
           "</graph></graphml>";
  };
  for (const char* const name : {"bandwidth", "delay", "weight", "LATENCY", "kind"})
    expect_refused({with(name).c_str(), "2:29", "an edge has latency, width: change attr.name of its key"});
  for (const char* const name : {"label", "colour", "description"})
    EXPECT_EQ(answer_to(with(name)), "accepted");
}

TEST(Graphml, TextAndElementsOutOfPlaceAreRefused) {
  for (const Refused& one : std::vector<Refused>{
           {"<graphml><graph><node id='a'/><node id='b'/>\n<edge source='a' target='b'>latency 4</edge>"
            "</graph></graphml>",
            "2:29", "text \"latency 4\" in <edge>"},
           {"<graphml><key id='l' for='edge' attr.name='latency'/><graph><node id='a'/><node id='b'/>\n<edge "
            "source='a' target='b'><data key='l'><v>4</v></data></edge></graph></graphml>",
            "2:43", "<v> in the value of latency; write its text only"},
           {"<graphml><graph><node id='a'>\n<port name='north'/></node></graph></graphml>", "2:1",
            "<port> is not read"}})
    expect_refused(one);
}

TEST(Graphml, WhatEditorsDrawIsIgnored) {
  EXPECT_EQ(
      answer_to(
          R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
<!--Created by an editor-->
<key for="port" id="d0" yfiles.type="portgraphics"/>
<key attr.name="description" attr.type="string" for="all" id="d1"/>
<key for="node" id="d2" yfiles.type="nodegraphics"/>
<key for="graphml" id="d3" yfiles.type="resources"/>
<key attr.name="weight" for="edge" id="d4"/>
<graph edgedefault="undirected" id="G" parse.nodes="2"><desc>Two <b>routers</b>.</desc>
<data key="d1" xml:space="preserve"/>
<node id="a" yfiles.foldertype="node"><data key="d1">the first</data>
  <data key="d2"><y:ShapeNode><y:Geometry height="30.0" x="390.0"/><y:NodeLabel>A</y:NodeLabel></y:ShapeNode></data>
</node>
<node id="b"/><edge id="e0" source="a" target="b"/></graph><data key="d3"><y:Resources/></data></graphml>)"),
      "accepted");
}

TEST(FileTopology, RoutersInOnePlaceAreDrawnApart) {
  std::string text =
      "<graphml><key id='x' for='node' attr.name='x'/><key id='y' for='node' attr.name='y'/><graph>";
  for (int i = 0; i < 12; ++i)
    text += "<node id='n" + std::to_string(i) + "'><data key='x'>" + std::to_string(i / 6) +
            "</data><data key='y'>0</data></node>";
  for (int i = 1; i < 12; ++i) text += "<edge source='n0' target='n" + std::to_string(i) + "'/>";
  const FileTopology t(text + "</graph></graphml>", "net.graphml");
  EXPECT_EQ(t.position(0)->x, 0);
  EXPECT_EQ(t.position(6)->x, 1);
  for (RouterId a = 0; a < t.router_count(); ++a)
    for (RouterId b = 0; b < a; ++b)
      EXPECT_GT(std::hypot(t.position(a)->x - t.position(b)->x, t.position(a)->y - t.position(b)->y), 0.1)
          << a << " and " << b;
  for (const char* const far : {"1e7", "-1e300", "inf", "nan"})
    EXPECT_NE(answer_to("<graphml><key id='x' for='node' attr.name='x'/><graph><node id='a'><data key='x'>" +
                        std::string(far) + "</data></node></graph></graphml>")
                  .find("it is a number of at most 1000000"),
              std::string::npos)
        << far;
}

}  // namespace
}  // namespace flitmend
