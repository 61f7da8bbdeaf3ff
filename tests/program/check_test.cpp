// SPDX-License-Identifier: Apache-2.0
// flitmend check: verdicts, exit statuses, and every kind of bad configuration.
#include <regex>
#include <set>

#include "base/checked_file.h"
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class Check : public ProgramFixture {
 protected:
  /// Status of `flitmend check` over that text with these options.
  int check(const std::string& text, const std::vector<std::string>& sets = {}) {
    std::vector<std::string> words;
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    return ProgramFixture::check(text, words);
  }
};

TEST_F(Check, FreeOfDeadlock) {
  EXPECT_EQ(check("network: {topology: mesh, size: [4, 4]}"), 0) << err_;
  EXPECT_EQ(
      out_.substr(0, out_.find('\n')),
      "dimension-order on a 4x4 mesh with 4 virtual channels, wormhole: free of deadlock and livelock, every "
      "pair has a route");
  EXPECT_EQ(err_, "");
  EXPECT_EQ(check("network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: duato}"), 0);
  EXPECT_EQ(check("network: {topology: kns, k: 4, n: 2}"), 0);
}

TEST_F(Check, CanDeadlock) {
  EXPECT_EQ(check("network: {size: [3, 3]}", {"routing.algorithm=tfar", "router.virtual_channels=1"}), 4);
  EXPECT_EQ(out_.substr(0, out_.find('\n')),
            "tfar on a 3x3 mesh with 1 virtual channel, wormhole: can deadlock");
  EXPECT_NE(out_.find("router_0_0.east.vc0"), std::string::npos) << out_;
}

TEST_F(Check, NetworksFromFiles) {
  const std::string examples = FLITMEND_SOURCE_DIR "/examples/";
  const auto example = [&](const std::string& name, const std::string& graph,
                           const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"check", examples + name, "--set",
                                      "network.graph=" + examples + "networks/" + graph};
    words.insert(words.end(), more.begin(), more.end());
    return start(words);
  };
  EXPECT_EQ(example("concentrated-mesh.yaml", "concentrated-mesh.graphml"), 0) << err_;
  EXPECT_EQ(out_.find("up-down on a network of 64 nodes, 16 switches, 88 links from a file"), 0u) << out_;
  EXPECT_EQ(example("chiplets.yaml", "chiplets.graphml", {"--faults", "single"}), 0) << err_ << out_;
  EXPECT_NE(out_.find("with 82 of 82 sets every connected pair arrives"), out_.npos) << out_;
  const std::string table = "routing.table=" + examples + "networks/ring.csv";
  EXPECT_EQ(example("ring.yaml", "ring.graphml", {"--set", table}), 0) << err_;
  // The first shortest path, without classes, goes round the ring.
  EXPECT_EQ(check("network: {topology: file, graph: " + examples +
                  "networks/ring.graphml}\nrouting: {algorithm: table}"),
            4)
      << err_;

  const std::string graph = folder_.write(
      "net.graphml",
      "<graphml><graph>\n<node id=\"a\"/>\n<node id=\"b\"/>\n<edge source=\"a\" target=\"q\"/>\n"
      "</graph></graphml>\n");
  const std::string text = "network: {topology: file, graph: " + graph + "}";
  EXPECT_EQ(check(text), 2);
  EXPECT_EQ(err_, "flitmend: " + graph +
                      ":4:1: target of the edge is \"q\", and no <node> has that id; correct it\n");
  folder_.write(
      "net.graphml",
      "<graphml><key id=\"l\" for=\"edge\" attr.name=\"latency\"/><graph><node id=\"a\"/><node "
      "id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"l\">5</data></edge></graph></graphml>");
  EXPECT_EQ(check(text), 0) << err_;
  const auto refused = [&] {
    EXPECT_EQ(check(text, {"recovery.protocol=fcr"}), 2);
    EXPECT_NE(
        err_.find("recovery.protocol: fcr, but links of network.graph have a latency or width of their own"),
        err_.npos)
        << err_;
    EXPECT_NE(err_.find("use one of none, end-to-end, sbrp-0, sbrp-1, sbrp-2, or remove"), err_.npos) << err_;
    EXPECT_EQ(check(text, {"recovery.protocol=sbrp-1"}), 0) << err_;
  };
  refused();
  folder_.write(
      "net.graphml",
      "<graphml><key id=\"w\" for=\"edge\" attr.name=\"width\"/><graph><node id=\"a\"/><node "
      "id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"w\">32</data></edge></graph></graphml>");
  EXPECT_EQ(check(text), 0) << err_;
  refused();
  EXPECT_EQ(check(text, {"recovery.protocol=fcr", "link.flit_bytes=4"}), 0) << "it is as wide as a flit";
  EXPECT_EQ(check(text, {"router.switching=pipelined-circuit"}), 2);
  EXPECT_NE(err_.find("router.switching: pipelined-circuit works without links narrower than a flit"),
            err_.npos)
      << err_;
  EXPECT_EQ(check(text, {"link.flit_bytes=4096"}), 0) << "1024 cycles per flit";
  folder_.write(
      "net.graphml",
      "<graphml><key id=\"w\" for=\"edge\" attr.name=\"width\"/><graph><node id=\"a\"/><node "
      "id=\"b\"/>\n<edge source=\"a\" target=\"b\"><data key=\"w\">31</data></edge></graph></graphml>");
  EXPECT_EQ(check(text, {"link.flit_bytes=4096"}), 2);
  EXPECT_NE(
      err_.find("network.graph: the link from router_a to router_b has a width of 31 bits, so that a flit "
                "of 32768 bits takes 1058 cycles; at most 1024 are possible"),
      err_.npos)
      << err_;
  folder_.write(
      "net.graphml",
      "<graphml><key id=\"w\" for=\"edge\" attr.name=\"width\"/><graph><node id=\"a\"/><node "
      "id=\"b\"/>\n<edge source=\"a\" target=\"b\">\n<data key=\"w\">0</data></edge></graph></graphml>");
  EXPECT_EQ(check(text), 2);
  EXPECT_EQ(err_.find("flitmend: " + graph + ":3:"), 0u) << err_;
  EXPECT_NE(err_.find("width is \"0\"; a link carries 1 to 32768 bits per cycle"), err_.npos) << err_;
  EXPECT_EQ(check("network: {topology: file}"), 2);
  EXPECT_NE(err_.find("topology file needs it"), err_.npos) << err_;
}

// The dependencies of the three examples in [SBRP section 3]. c0i and c1i: the virtual channels from node i.
TEST_F(Check, RingsOfOneWayLinks) {
  const std::string examples = FLITMEND_SOURCE_DIR "/examples/", dot = folder_ / "dependencies.dot";
  using Dependencies = std::set<std::string>;
  const auto dependencies_of = [&](const std::string& name, int status,
                                   const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"check", examples + name, "--graph", dot};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(start(words), status) << err_;
    const std::regex line(
        R"re("router_n(\d)\.to_n\d\.vc(\d)" -> "router_n(\d)\.to_n\d\.vc(\d)"(.*style=(\w+))?)re");
    const std::string text = read_file(dot);
    Dependencies all;
    for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i)
      all.insert(std::regex_replace((*i).str(), line, "c$2$1 c$4$3 $6"));
    return all;
  };
  EXPECT_EQ(dependencies_of("one-way-ring-deadlock.yaml", 4),
            (Dependencies{"c00 c01 ", "c01 c02 ", "c02 c03 ", "c03 c00 "}))
      << "Figure 21";
  EXPECT_EQ(dependencies_of("one-way-ring.yaml", 0),
            (Dependencies{"c01 c02 ", "c02 c03 ", "c03 c10 ", "c10 c11 ", "c11 c12 "}))
      << "Figure 22";
  EXPECT_EQ(dependencies_of("one-way-ring-escape.yaml", 0),
            (Dependencies{"c01 c02 ", "c02 c03 ", "c03 c10 ", "c10 c11 ", "c11 c12 ", "c01 c12 dotted",
                          "c03 c11 dashed", "c10 c12 dashed"}))
      << "Figure 24";
  EXPECT_NE(out_.find("escape channels: 6, every dependency leads downwards"), out_.npos) << out_;
  std::string table = read_file(examples + "networks/one-way-ring-escape.csv");
  for (const std::string column : {",escape", ",yes", ",no"})
    for (std::size_t at; (at = table.find(column + "\n")) != table.npos;) table.erase(at, column.size());
  EXPECT_EQ(dependencies_of("one-way-ring-escape.yaml", 0,
                            {"--set", "routing.table=" + folder_.write("t.csv", table)}),
            (Dependencies{"c00 c01 ", "c00 c11 ", "c01 c02 ", "c01 c12 ", "c02 c03 ", "c03 c00 ", "c03 c10 ",
                          "c10 c01 ", "c10 c11 ", "c11 c02 ", "c11 c12 "}))
      << "Figure 23";
}

TEST_F(Check, WhatHeadsRequestAndWhatLimitsInjection) {
  const std::string duato = "routing: {algorithm: duato}";
  EXPECT_EQ(check(duato, {"routing.request=all", "network_interface.injection_limit=alo"}), 0) << err_;
  EXPECT_EQ(check(duato, {"routing.request=all", "routing.selection=first"}), 2);
  EXPECT_NE(err_.find("routing.selection: first, but with routing.request all nothing is selected"),
            err_.npos)
      << err_;
  EXPECT_EQ(check("{}", {"recovery.protocol=apcs", "network_interface.injection_limit=alo"}), 2);
  EXPECT_NE(err_.find("network_interface.injection_limit: alo, but recovery.protocol apcs holds whole paths"),
            err_.npos)
      << err_;
}

TEST_F(Check, EverySetOfFaults) {
  const std::string mesh = "network: {topology: mesh, size: [4, 4]}\nrouting: {algorithm: ";
  EXPECT_EQ(ProgramFixture::check(mesh + "reliable-router}", {"--faults", "single"}), 0) << err_;
  EXPECT_EQ(
      out_,
      "reliable-router on a 4x4 mesh, every node and every link faulty alone (40 sets): free of deadlock "
      "and livelock\n\nroutes: with 40 of 40 sets every connected pair arrives, whichever candidates are "
      "chosen\n");
  EXPECT_EQ(ProgramFixture::check(mesh + "dimension-order}", {"--faults", "single"}), 0) << err_;
  EXPECT_NE(out_.find("routes: with 0 of 40 sets every connected pair arrives"), out_.npos) << out_;
  EXPECT_NE(out_.find("most pairs are hit with "), out_.npos) << out_;
  EXPECT_EQ(ProgramFixture::check(mesh + "tfar}", {"--faults", "double-links"}), 4) << err_;
  EXPECT_EQ(
      out_.find("tfar on a 4x4 mesh, every two links faulty (276 sets): not proved free of deadlock with "),
      0u)
      << out_;
  EXPECT_NE(out_.find(", the first: the link router_0_0 - router_1_0 and the link router_0_0 - router_0_1\n"),
            out_.npos)
      << out_;
  // A node that its links have lost: what is sent there stays where it is.
  EXPECT_NE(out_.find("a message to router_0_0 holds router_2_0.west.vc0-3, where it has no candidate\n"),
            out_.npos)
      << out_;
  EXPECT_EQ(ProgramFixture::check(mesh + "tfar}", {"--faults", "some"}), 2);
}

// A message for a node that is cut off goes from one absorption to the next, but not forever.
// Where there are no two links, nothing is proved of any two.
TEST_F(Check, NoSetsOfFaultsAreNoProof) {
  const std::string line = "network: {size: [2]}";
  EXPECT_EQ(ProgramFixture::check(line, {"--faults", "double-links"}), 2);
  EXPECT_EQ(out_, "");
  EXPECT_NE(err_.find("has no two links, so there is nothing to check; use --faults single"), err_.npos)
      << err_;
  EXPECT_NE(ProgramFixture::check(line, {"--faults", "single"}), 2) << err_;
}

TEST_F(Check, AbsorbedMessagesDoNotCirculateForEver) {
  const std::string ring = "network: {topology: torus, size: [6]}\nrouting: {algorithm: software-based}\n";
  EXPECT_EQ(check(ring + "faults: {static_nodes: [1, 4]}"), 0) << err_;
  EXPECT_NE(out_.find("With the faults from the start: free of deadlock and livelock.\nWith them all "),
            out_.npos)
      << out_;
  EXPECT_NE(out_.find("A message whose next hop is faulty is absorbed"), out_.npos) << out_;
  EXPECT_EQ(ProgramFixture::check(ring, {"--faults", "double-links"}), 0) << out_;
  EXPECT_NE(out_.find("(15 sets): free of deadlock and livelock"), out_.npos) << out_;
}

TEST_F(Check, FaultsFromTheStart) {
  const auto with = [&](const std::string& algorithm, const std::string& nodes) {
    return check("network: {topology: mesh, size: [5, 5]}\nrouting: {algorithm: " + algorithm +
                 "}\nfaults: {static_nodes: [" + nodes + "]}");
  };
  EXPECT_EQ(with("fault-ring-e-cube", "[2, 2]"), 0) << err_;
  EXPECT_NE(out_.find("With the faults from the start: free of deadlock and livelock.\n"
                      "With them all 552 pairs of healthy nodes that are connected have a route, whichever "
                      "candidates are chosen.\n"),
            out_.npos)
      << out_;
  EXPECT_EQ(out_.find("out of use"), out_.npos) << out_;
  EXPECT_EQ(with("fault-tolerant-planar-adaptive", "[4, 2]"), 0) << err_;
  EXPECT_NE(out_.find("Faults: fault-tolerant-planar-adaptive takes 4 healthy nodes out of use (router_4_0, "
                      "router_4_1, router_4_3, router_4_4); messages from and to them are undeliverable.\n"),
            out_.npos)
      << out_;
  // The 20 nodes that are left reach each other.
  EXPECT_NE(
      out_.find("With them, of 552 pairs of healthy nodes that are connected 172 have no route, and 0 can "),
      out_.npos)
      << out_;
}

TEST_F(Check, WritesTheGraphOfItsFinding) {
  const std::string file = folder_ / "g.dot";
  const std::string mesh = "network: {topology: mesh, size: [3, 3]}\nrouting: {algorithm: ";
  EXPECT_EQ(ProgramFixture::check(mesh + "dimension-order}", {"--graph", file}), 0) << err_;
  std::string text = read_file(file);
  EXPECT_EQ(text.find("// free (channel dependency graph)\ndigraph channels {\n"), 0u) << text;
  EXPECT_NE(text.find("  \"router_0_0.east.vc0-3\" -> \"router_1_0.east.vc0-3\";\n"), text.npos) << text;
  EXPECT_NE(text.find("rank 1\""), text.npos) << text;
  EXPECT_EQ(text.find("red"), text.npos) << text;
  EXPECT_EQ(ProgramFixture::check(mesh + "tfar}", {"--graph", file}), 4) << err_;
  text = read_file(file);
  std::size_t red = 0;
  for (std::size_t at = 0; (at = text.find(" [color=red, penwidth=3];", at)) != text.npos; ++at) ++red;
  EXPECT_EQ(red, 4u) << text;
  EXPECT_EQ(text.find("rank"), text.npos) << text;
  EXPECT_EQ(ProgramFixture::check(mesh + "duato}", {"--graph", file}), 0) << err_;
  text = read_file(file);
  EXPECT_NE(text.find("\"router_0_0.east.vc0\" [label=\"router_0_0.east.vc0\\nrank "), text.npos) << text;
  EXPECT_EQ(text.find("vc1-3\""), text.npos) << "only the escape channels: " << text;
  EXPECT_EQ(ProgramFixture::check(mesh + "duato}", {"--graph", file, "--faults", "single"}), 2);
}

TEST_F(Check, DrawsItsFinding) {
  const std::string file = folder_ / "p.svg";
  const std::string mesh = "network: {topology: mesh, size: [3, 3]}\nrouting: {algorithm: ";
  EXPECT_EQ(ProgramFixture::check(mesh + "dimension-order}", {"--picture", file}), 0) << err_;
  std::string text = read_file(file);
  EXPECT_EQ(text.find("<svg xmlns=\"http://www.w3.org/2000/svg\""), 0u) << text;
  EXPECT_NE(text.find("<title>dimension-order on a 3x3 mesh with 4 virtual channels, wormhole: free"),
            text.npos);
  EXPECT_NE(text.find("router_0_0.east.vc0-3: rank "), text.npos) << text;
  EXPECT_EQ(ProgramFixture::check(mesh + "tfar}", {"--picture", file}), 4) << err_;
  text = read_file(file);
  EXPECT_NE(text.find("message 1 to router_"), text.npos) << text;
  EXPECT_EQ(text.find(": rank "), text.npos) << text;
  EXPECT_EQ(ProgramFixture::check("network: {size: [120, 120]}", {"--picture", file}), 2);
  EXPECT_EQ(
      err_,
      "flitmend: --picture: the network has 57120 channels, and a picture can show 40000; check a smaller "
      "network of this kind\n");
}

// Large enough that the check takes longer than VerdictCache::kLong.
TEST_F(Check, FindsTheVerdictOfAnEarlierCheck) {
  const std::string text = "network: {size: [56, 56]}\nrouting: {algorithm: dally-aoki-static}";
  ProgramProcess::Options options;
  options.cache = folder_ / "cache";
  const std::filesystem::path verdicts = options.cache + "/flitmend/verdicts";
  const auto files = [&] {
    std::vector<std::filesystem::path> all;
    if (std::filesystem::exists(verdicts))
      for (const auto& entry : std::filesystem::directory_iterator(verdicts)) all.push_back(entry.path());
    return all;
  };
  EXPECT_EQ(ProgramFixture::check(text, {"--no-cache"}, options), 0) << err_;
  EXPECT_TRUE(files().empty());
  const std::string out = out_;
  EXPECT_EQ(ProgramFixture::check(text, {}, options), 0) << err_;
  EXPECT_EQ(out_, out);
  ASSERT_EQ(files().size(), 1u);
  options.terminal = true;
  EXPECT_EQ(ProgramFixture::check(text, {}, options), 0) << err_;
  EXPECT_EQ(out_, out);
  EXPECT_NE(err_.find("an earlier check of the same network has proved this; --no-cache proves it again"),
            err_.npos)
      << err_;
  EXPECT_EQ(ProgramFixture::check(text, {"--no-cache"}, options), 0) << err_;
  EXPECT_EQ(out_, out);
  EXPECT_EQ(err_.find("an earlier check"), err_.npos) << err_;
  options.terminal = false;
  // run asks the same question; a smaller network another one.
  const std::string run = text + "\nsimulation: {warmup: 0, measure: 1}\ntraffic: {load: 0.01}";
  EXPECT_EQ(ProgramFixture::run(run, {}, options), 0) << err_;
  EXPECT_EQ(files().size(), 1u);
  // A damaged verdict is proved again, and kept.
  write_checked(files().front(), "flitmend verdict 1\nno\n");
  EXPECT_EQ(ProgramFixture::check(text, {}, options), 0) << err_;
  EXPECT_EQ(out_, out);
  EXPECT_GT(std::filesystem::file_size(files().front()), 1000u);
}

TEST_F(Check, BadConfigurationsAreRefusedWithTheirPlace) {
  EXPECT_EQ(check("router:\n  virtual_chanels: 2\n"), 2);
  EXPECT_EQ(err_, at(":2:3: router.virtual_chanels: unknown key (did you mean 'virtual_channels'?)"));
  EXPECT_EQ(out_, "");
  EXPECT_EQ(check("router: {virtual_channels: two}"), 2);
  EXPECT_EQ(
      err_,
      at(":1:28: router.virtual_channels: expected an integer (1 to 64 virtual channels), found 'two'"));
  EXPECT_EQ(check("network: {topology: torus}\nrouter: {virtual_channels: 1}"), 2);
  EXPECT_NE(err_.find(":2:28: routing.algorithm: dimension-order on an 8x8 torus needs 2 virtual channels"),
            std::string::npos)
      << err_;
  EXPECT_EQ(check("network: {topology: torus, size: [1, 8]}"), 2);
  EXPECT_NE(err_.find(":1:34: network.size"), std::string::npos) << err_;
  EXPECT_EQ(check("routing: {algorithm: up-and-down}"), 2);
  EXPECT_NE(err_.find(":1:22: routing.algorithm: unknown routing algorithm 'up-and-down'; "
                      "available: dimension-order, "),
            std::string::npos)
      << err_;
  EXPECT_EQ(check(std::string("\x7f"
                              "ELF\x02\x01\x00\x00",
                              8)),
            2);
  EXPECT_EQ(err_, at(":1:1: byte 0x7f is not text; a configuration must be YAML in UTF-8"));
}

TEST_F(Check, SeveralErrorsHaveALineEach) {
  EXPECT_EQ(check("router: {virtual_channels: 0}\nlink: {latency: 0}\n", {"x"}), 2);
  EXPECT_EQ(err_, at(":1:28: router.virtual_channels: 0 is out of range (1 to 64 virtual channels)") +
                      at(":2:17: link.latency: 0 is out of range (1 to 1024 cycles)") +
                      "flitmend: --set #1: 'x' is not KEY=VALUE; write it like router.virtual_channels=2\n");
}

TEST_F(Check, UnreadableFiles) {
  EXPECT_EQ(start({"check", folder_ / "none.yaml"}), 2);
  EXPECT_EQ(err_, "flitmend: cannot read " + (folder_ / "none.yaml") + ": No such file or directory\n");
  EXPECT_EQ(start({"check", folder_.path().string()}), 2);
  EXPECT_EQ(err_, "flitmend: " + folder_.path().string() + ": this is a folder; name a file in it\n");
}

TEST_F(Check, OptionsMayStandInAnyOrder) {
  const std::string file = folder_.write("c.yaml", "network: {size: [3, 3]}");
  EXPECT_EQ(start({"check", "--set", "network.size=[2, 2]", file, "--set=link.latency=2"}), 0) << err_;
  EXPECT_NE(out_.find("2x2 mesh"), std::string::npos);
}

}  // namespace
}  // namespace flitmend
