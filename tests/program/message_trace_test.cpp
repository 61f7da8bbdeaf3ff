// SPDX-License-Identifier: Apache-2.0
// CSV traces, and flitmend trace.
#include <algorithm>
#include <set>

#include "support/compressed.h"
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

class MessageTraces : public ProgramFixture {
 protected:
  int replay(const std::string& trace, const std::string& out, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"--out", folder_ / out, "--set", "statistics.messages=true"};
    words.insert(words.end(), more.begin(), more.end());
    return run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {trace: " + trace + "}\n", words);
  }
  /// Source, destination, flits, creation, arrival and hops of every message of a run, sorted.
  std::multiset<std::string> messages(const std::string& out) const {
    std::istringstream text(read_file(folder_ / out + "/messages.csv"));
    std::multiset<std::string> found;
    std::string line;
    for (std::getline(text, line); std::getline(text, line);) {
      std::istringstream fields(line);
      std::vector<std::string> all;
      for (std::string field; std::getline(fields, field, ',');) all.push_back(field);
      found.insert(all[1] + " " + all[2] + " " + all[5] + " " + all[6] + " " + all[8] + " " + all[9]);
    }
    return found;
  }
};

TEST_F(MessageTraces, WaitForWhatTheyFollow) {
  // A message over h hops arrives 5h + 6 + flits cycles after its creation.
  folder_.write("t.csv",
                "cycle,source,destination,bytes,class,id,after,delay\n"
                "0,0,5,8,request,1,,\n"
                "0,5,0,72,reply,2,1,20\n"
                "3,7,7,0,self,,,\n"
                "900,1,2,64,late,3,1;2,\n");
  ASSERT_EQ(replay("t.csv", "o", {"--set", "statistics.flows=true"}), 0) << err_;
  const unsigned request = 5 * 2 + 6 + 3, created = request + 1 + 20, reply = created + 5 * 2 + 6 + 11;
  EXPECT_EQ(messages("o"), (std::multiset<std::string>{
                               "0 5 3 0 " + std::to_string(request) + " 2",
                               "5 0 11 " + std::to_string(created) + " " + std::to_string(reply) + " 2",
                               "7 7 2 3 11 0", "1 2 10 900 921 1"}));
  const auto classes = stats("o")["classes"];
  ASSERT_EQ(classes.size(), 4u);
  EXPECT_EQ(classes[1]["name"], "reply");
  EXPECT_EQ(classes[1]["mean"], 5 * 2 + 6 + 11);
}

// What a run has sent, sent again: every message has the same latency. Also where source queues hold messages
// back.
TEST_F(MessageTraces, OfARunRepeatIt) {
  for (const std::string queue : {"0", "1"}) {
    ASSERT_EQ(
        run("network: {size: [4, 4]}\nrouter: {preset: iq}\nnetwork_interface: {source_queue: " + queue +
                "}\ntraffic: {load: .5, length_distribution: bimodal}\n"
                "statistics: {messages: true}\nsimulation: {warmup: 0, measure: 2000}\n",
            {"--out", folder_ / "first"}),
        0)
        << err_;
    ASSERT_EQ(start({"trace", folder_ / "first/messages.csv", folder_ / "t.csv"}), 0) << err_;
    ASSERT_EQ(replay("t.csv", "second", {"--set", "network_interface.source_queue=" + queue}), 0) << err_;
    const auto first = messages("first");
    EXPECT_GT(first.size(), 1900u);
    EXPECT_EQ(first, messages("second")) << "source_queue " << queue;
  }
}

TEST_F(MessageTraces, ConvertNetraceToCsvAndBack) {
  const std::string netrace =
      folder_.write("a.tra.bz2", read_file(FLITMEND_SOURCE_DIR "/traces/samples/shared-memory-16.tra.bz2"));
  ASSERT_EQ(start({"trace", netrace, folder_ / "b.csv"}), 0) << err_;
  ASSERT_EQ(start({"trace", folder_ / "b.csv", folder_ / "c.tra.bz2"}), 0) << err_;
  ASSERT_EQ(start({"trace", folder_ / "c.tra.bz2", folder_ / "d.csv"}), 0) << err_;
  EXPECT_EQ(read_file(folder_ / "b.csv"), read_file(folder_ / "d.csv"));
  // All three send the same messages.
  ASSERT_EQ(replay("a.tra.bz2", "a"), 0) << err_;
  ASSERT_EQ(replay("b.csv", "b"), 0) << err_;
  ASSERT_EQ(replay("c.tra.bz2", "c"), 0) << err_;
  EXPECT_GT(messages("a").size(), 100u);
  EXPECT_EQ(messages("a"), messages("b"));
  EXPECT_EQ(messages("a"), messages("c"));
}

TEST_F(MessageTraces, AreSortedAndMapped) {
  folder_.write("t.csv", "5,0,1,8\n2,3,4,8\n5,2,0,8\n");
  EXPECT_EQ(start({"trace", folder_ / "t.csv", folder_ / "u.csv"}), 2);
  EXPECT_NE(err_.find("t.csv:2:1: cycle 2 comes after cycle 5; sort the trace: flitmend trace --sort"),
            err_.npos)
      << err_;
  folder_.write("m.csv", "from,to\n0,12\n3,0\n");
  ASSERT_EQ(start({"trace", folder_ / "t.csv", folder_ / "u.csv", "--sort", "--mapping", folder_ / "m.csv"}),
            0)
      << err_;
  EXPECT_EQ(read_file(folder_ / "u.csv"),
            "cycle,source,destination,bytes,class,id,after,delay,flits,type,address,node_types\n"
            "2,0,4,8,,,,,,,,\n5,12,1,8,,,,,,,,\n5,2,12,8,,,,,,,,\n");
}

// What --sort writes is a trace: a message comes after those that it waits for.
TEST_F(MessageTraces, AreSortedByWhatTheyWaitFor) {
  folder_.write("t.csv",
                "# netrace benchmark x264\n# netrace nodes 16\n# netrace region 40 cycles 4 packets\n"
                "cycle,source,destination,bytes,class,id,after\n3,0,1,8,,7,9;8\n9,3,4,8,,8,\n5,4,3,8,,9,8\n"
                "9,2,0,8,,,\n");
  const std::string sorted =
      "# netrace benchmark x264\n# netrace nodes 16\n# netrace region 40 cycles 4 packets\n"
      "cycle,source,destination,bytes,class,id,after,delay,flits,type,address,node_types\n"
      "9,3,4,8,,8,,,,,,\n9,4,3,8,,9,8,,,,,\n9,0,1,8,,7,9;8,,,,,\n9,2,0,8,,,,,,,,\n";
  ASSERT_EQ(start({"trace", folder_ / "t.csv", folder_ / "u.csv", "--sort"}), 0) << err_;
  EXPECT_EQ(read_file(folder_ / "u.csv"), sorted);
  ASSERT_EQ(start({"trace", folder_ / "u.csv", folder_ / "v.csv"}), 0) << err_;
  EXPECT_EQ(read_file(folder_ / "v.csv"), sorted);
  ASSERT_EQ(replay("u.csv", "o"), 0) << err_;
  const std::pair<const char*, const char*> cases[] = {
      {"5,0,1,8,,1,2\n4,0,1,8,,2,1\n", "t.csv:1: the message waits for itself, or for one"},
      {"5,0,1,8\n4,0,1,8,,2,3\n", "t.csv:2: no line has the id 3; name another message"},
      {"5,0,1,8\n4,0,1,eight\n", "t.csv:2:7: bytes 'eight' is not a whole number"},
      {"5,0,1,8,,1\n4,0,1,8,,1\n", "t.csv:2:10: id 1 is that of line 1, too"},
      {"5,0,1,8,,1\n4,0,1,8,,2,,7\n", "t.csv:2:13: a delay without after"},
  };
  for (const auto& [text, error] : cases) {
    folder_.write("t.csv", text);
    EXPECT_EQ(start({"trace", folder_ / "t.csv", folder_ / "w.csv", "--sort"}), 2) << text;
    EXPECT_NE(err_.find(error), err_.npos) << text << '\n' << err_;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "w.csv")) << text;
  }
}

// The key numbers the nodes anew while the trace is replayed, as the command does in the file.
TEST_F(MessageTraces, AreMappedWhileTheyAreReplayed) {
  std::string text;
  for (unsigned i = 0; i < 200; ++i)
    text += std::to_string(3 * i) + "," + std::to_string(i % 7) + "," + std::to_string((i * 5 + 3) % 8) +
            ",64,," + std::to_string(i) + "," + (i % 9 == 8 ? std::to_string(i - 1) : "") + "\n";
  folder_.write("t.csv", text);
  folder_.write("m.csv", "from,to\n0,15\n1,3\n2,12\n3,1\n4,9\n7,2\n");
  ASSERT_EQ(start({"trace", folder_ / "t.csv", folder_ / "u.csv", "--mapping", folder_ / "m.csv"}), 0)
      << err_;
  ASSERT_EQ(replay("u.csv", "u"), 0) << err_;
  ASSERT_EQ(replay("t.csv", "t", {"--set", "traffic.mapping=" + folder_ / "m.csv"}), 0) << err_;
  EXPECT_EQ(messages("t").size(), 200u);
  EXPECT_EQ(messages("t"), messages("u"));
  EXPECT_EQ(stats("t")["host"]["inputs"].size(), 2u);

  // A trace of 16 nodes on 20, by a mapping that leaves some where they are.
  const std::string netrace =
      folder_.write("a.tra.bz2", read_file(FLITMEND_SOURCE_DIR "/traces/samples/shared-memory-16.tra.bz2"));
  folder_.write("n.csv", "0,19\n5,18\n");
  ASSERT_EQ(start({"trace", netrace, folder_ / "b.csv", "--mapping", folder_ / "n.csv"}), 0) << err_;
  const std::vector<std::string> wide = {"--set", "network.size=[5, 4]"};
  ASSERT_EQ(replay("b.csv", "b", wide), 0) << err_;
  ASSERT_EQ(replay("a.tra.bz2", "a", {wide[0], wide[1], "--set", "traffic.mapping=" + folder_ / "n.csv"}), 0)
      << err_;
  EXPECT_GT(messages("a").size(), 100u);
  EXPECT_EQ(messages("a"), messages("b"));
}

TEST_F(MessageTraces, RefuseMappingsWithPlaceAndRemedy) {
  folder_.write("t.csv", "0,0,5,8\n3,5,1,8\n");
  folder_.write("names.csv", "0,router_0_1,5,8\n");
  const std::string netrace =
      folder_.write("a.tra.bz2", read_file(FLITMEND_SOURCE_DIR "/traces/samples/shared-memory-16.tra.bz2"));
  struct Case {
    const char *trace, *mapping, *error;
  };
  for (const Case& c :
       {Case{"t.csv", "0,16\n", "m.csv:1:3: to 16 is out of range; it must be 0 to 15"},
        Case{"t.csv", "1,2\n0,1\n0,3\n", "m.csv:3:1: node 0 is in line 2, too; list each node once"},
        Case{"t.csv", "0,3\n5,3\n", "m.csv:2:3: node 3 is in line 1, too; list each node once"},
        Case{"t.csv", "3,3\n0,1\n",
             "m.csv:2: the mapping makes nodes 0 and 1 of the trace both node 1; map each to its own"},
        Case{"t.csv", "0;1,2\n", "m.csv:1:1: no node of the trace has the name '0;1'; mend or remove it"},
        Case{"a.tra.bz2", "cpu,2\n", "m.csv:1:1: no node of the trace has the name 'cpu'; mend or remove it"},
        Case{"a.tra.bz2", "0,1\n", "m.csv:1: the mapping makes nodes 0 and 1 of the trace both node 1"}}) {
    folder_.write("m.csv", c.mapping);
    EXPECT_EQ(replay(c.trace, "o", {"--set", "traffic.mapping=" + folder_ / "m.csv"}),
              to_int(ExitStatus::bad_usage))
        << c.mapping;
    EXPECT_NE(err_.find(c.error), err_.npos) << c.mapping << '\n' << err_;
  }
  folder_.write("m.csv", "0,3\n");
  EXPECT_EQ(replay("a.tra.bz2", "o",
                   {"--set", "network.size=[3, 3]", "--set", "traffic.mapping=" + folder_ / "m.csv"}),
            2);
  EXPECT_NE(err_.find("there is no node"), err_.npos) << err_;
  // Names that it does not list, and coordinates, are those of the network.
  folder_.write("m.csv", "4,3\n5,6\n");
  ASSERT_EQ(replay("names.csv", "o", {"--set", "traffic.mapping=" + folder_ / "m.csv"}), 0) << err_;
  EXPECT_EQ(messages("o").begin()->substr(0, 4), "4 6 ");
  folder_.write("m.csv", "4,3\n5,4\n");
  EXPECT_EQ(replay("names.csv", "o", {"--set", "traffic.mapping=" + folder_ / "m.csv"}), 2);
  EXPECT_NE(err_.find("m.csv:2: the mapping makes nodes 5 and 4 of the trace both node 4"), err_.npos)
      << err_;
  EXPECT_EQ(
      run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {flows: [{from: 0, to: 1, rate: .1}], "
          "mapping: m.csv}\n"),
      2);
  EXPECT_NE(err_.find("m.csv has no effect with flows"), err_.npos) << err_;
}

// The nodes of a trace may have names that the network does not know.
TEST_F(MessageTraces, WithNamesAreMapped) {
  folder_.write("t.csv",
                "cycle,source,destination,bytes\n0,cpu,\"gpu, left\",8\n3,\"gpu, left\",7,8\n5,7,cpu,8\n");
  folder_.write("m.csv", "from,to\ncpu,router_3_1\n\"gpu, left\",2\n7,\"1,1\"\n");
  const std::vector<std::string> mapped = {"--set", "traffic.mapping=" + folder_ / "m.csv"};
  ASSERT_EQ(replay("t.csv", "names", mapped), 0) << err_;
  folder_.write("n.csv", "0,7,2,8\n3,2,5,8\n5,5,7,8\n");
  ASSERT_EQ(replay("n.csv", "numbers"), 0) << err_;
  EXPECT_EQ(messages("names"), messages("numbers"));
  ASSERT_EQ(replay("n.csv", "small", {"--set", "network.size=[4, 2]"}), 0) << err_;
  // In a file there are no names of a network; without a header the first line may have names.
  folder_.write("m.csv", "cpu,7\n\"gpu, left\",2\n7,5\n");
  for (const char* const to : {"u.csv", "u.tra.bz2"}) {
    ASSERT_EQ(start({"trace", folder_ / "t.csv", folder_ / to, "--mapping", folder_ / "m.csv"}), 0) << err_;
    ASSERT_EQ(replay(to, "u", {"--set", "network.size=[4, 2]"}), 0) << err_;
    EXPECT_EQ(messages("u"), messages("small")) << to;
  }
  for (const auto& [mapping, error] :
       {std::pair("cpu,5\ncpu,6\n", "m.csv:2:1: node 'cpu' is in line 1, too; list each node once"),
        std::pair("cpu,99\n", "m.csv:1:5: to 99 is out of range; it must be 0 to 15"),
        std::pair("cpu,gpu\n", "m.csv:1:5: there is no node gpu"),
        std::pair(
            "cpu,7\n\"gpu, left\",2\n",
            "m.csv:1: the mapping makes nodes 'cpu' and 7 of the trace both node 7; map each to its own"),
        std::pair("cpu,1\n", "t.csv:2:7: there is no node gpu, left"),
        std::pair("cpu,1\n", "m.csv does not list it: add a line for it there"),
        std::pair("cpu,1\n\"gpu, left\",2\ngpu,3\n",
                  "m.csv:3:1: no node of the trace has the name 'gpu'; mend")}) {
    folder_.write("m.csv", mapping);
    EXPECT_EQ(replay("t.csv", "o", mapped), 2) << mapping;
    EXPECT_NE(err_.find(error), err_.npos) << mapping << '\n' << err_;
  }
}

// The name and the first bytes say that a trace is compressed.
TEST_F(MessageTraces, AreReadCompressed) {
  std::string text = "# netrace nodes 16\ncycle,source,destination,bytes\n";
  for (unsigned i = 0; i < 500; ++i)
    text +=
        std::to_string(i) + "," + std::to_string(i % 16) + "," + std::to_string((i * 7 + 2) % 16) + ",8\n";
  folder_.write("t.csv", text);
  folder_.write("t.csv.gz", test::gzip(text.substr(0, 1000)) + test::gzip(text.substr(1000)));
  folder_.write("t.csv.xz", test::xz(text));
  ASSERT_EQ(replay("t.csv", "t"), 0) << err_;
  ASSERT_EQ(start({"trace", folder_ / "t.csv", folder_ / "plain.tra.bz2"}), 0) << err_;
  for (const std::string name : {"t.csv.gz", "t.csv.xz"}) {
    ASSERT_EQ(replay(name, "o"), 0) << err_;
    EXPECT_EQ(messages("o"), messages("t"));
    ASSERT_EQ(start({"trace", folder_ / name, folder_ / "o.tra.bz2"}), 0) << err_;
    EXPECT_EQ(read_file(folder_ / "o.tra.bz2"), read_file(folder_ / "plain.tra.bz2"));
    EXPECT_EQ(start({"trace", folder_ / "t.csv", folder_ / name}), 2);
    EXPECT_NE(err_.find("would not be compressed; give a name that ends in .csv"), err_.npos) << err_;
  }
  folder_.write("t.csv.gz", test::gzip(text).substr(0, 700));
  EXPECT_EQ(replay("t.csv.gz", "o"), 2);
  EXPECT_NE(err_.find(": the compressed data ends too early; copy the file again"), err_.npos) << err_;
  EXPECT_NE(err_.find("t.csv.gz:"), err_.npos) << err_;
}

// The bandwidth of a class counts the bytes of the trace, not what its flits could carry.
TEST_F(MessageTraces, CountTheirBytes) {
  folder_.write("t.csv", "0,0,5,5,small\n9,0,5,17,large\n20,0,5,9,small\n");
  folder_.write("flits.csv", "cycle,source,destination,flits\n0,0,5,4\n");
  ASSERT_EQ(replay("t.csv", "o", {"--set", "statistics.flows=true"}), 0) << err_;
  auto results = stats("o");
  const double seconds = results["simulation"]["measured_cycles"].get<double>() / 1e9;
  EXPECT_NEAR(results["classes"][0]["bandwidth"].get<double>(), 14 / seconds, 1);
  EXPECT_NEAR(results["classes"][1]["bandwidth"].get<double>(), 17 / seconds, 1);
  ASSERT_EQ(replay("flits.csv", "o", {"--set", "statistics.flows=true"}), 0) << err_;
  results = stats("o");
  EXPECT_NEAR(results["flows"][0]["bandwidth"].get<double>(),
              16e9 / results["simulation"]["measured_cycles"].get<double>(), 1);
}

// The clock stands still until the first message, however late that is.
TEST_F(MessageTraces, MayBeginLate) {
  folder_.write("t.csv", "9007199254740000,0,5,8\n9007199254740992,5,0,8\n");
  ASSERT_EQ(replay("t.csv", "o", {"--set", "simulation.time_limit_seconds=20"}), 0) << err_;
  EXPECT_EQ(stats("o")["latency"]["total"]["mean"], 5 * 2 + 6 + 3);
  EXPECT_EQ(stats("o")["simulation"]["last_delivery"], 9007199254740992 + 5 * 2 + 6 + 3);
}

// A mapping may list only some nodes; it must not put one on another that keeps its number.
TEST_F(MessageTraces, KeepTheirNodesApart) {
  folder_.write("m.csv", "from,to\n0,1\n");
  folder_.write("t.csv", "0,0,5,8\n3,5,1,8\n");
  for (const char* const to : {"u.csv", "u.tra.bz2"}) {
    EXPECT_EQ(start({"trace", folder_ / "t.csv", folder_ / to, "--mapping", folder_ / "m.csv"}), 2);
    EXPECT_NE(err_.find("makes nodes 0 and 1 of the trace both node 1; map each to its own"), err_.npos)
        << err_;
  }
  folder_.write("t.csv", "0,0,5,8\n3,5,2,8\n");
  EXPECT_EQ(start({"trace", folder_ / "t.csv", folder_ / "u.csv", "--mapping", folder_ / "m.csv"}), 0)
      << err_;
}

TEST_F(MessageTraces, AreRefusedWithLineAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "t.csv:1: the file has no line with values; add one"},
      {"0,0,99,8\n", "t.csv:1:5: there is no node 99 in the 4x4 mesh"},
      {"0,0,1,8\n0,0,1,eight\n", "t.csv:2:7: bytes 'eight' is not a whole number; write digits only"},
      {"0,0,1\n", "t.csv:1: no bytes; give the bytes or the flits of the message"},
      {"0,0,1,8,,1\n0,0,1,8,,1\n", "t.csv:2:10: id 1 is that of line 1, too; give each message its own"},
      {"0,0,1,8,,1,1\n", "t.csv:1:12: no earlier line has the id 1"},
      {"0,0,1,8,,1\n1,0,1,8,,,1;1\n", "t.csv:2:11: id 1 is listed twice"},
      {"0,0,1,8,,1\n1,0,1,8,,,1;\n", "t.csv:2:11: after '1;' is not a list of ids"},
      {"0,0,1,8,,,,5\n", "t.csv:1:12: a delay without after; remove it"},
      {"0,0,1,9999999\n", "t.csv:1: 9999999 bytes are 1250002 flits, but a message has 65535 at most"},
      {"cycle,source,destination,bytes,flits\n0,0,1,8,2\n", "t.csv:2:9: bytes and flits are both given"},
      {"0,0,1,8,a\tb\n", "t.csv:1:9: 'a\\tb' has characters that nobody can see; remove them"},
      {"cycle,source,destinatoin\n", "unknown column 'destinatoin' (did you mean 'destination'?)"},
  };
  for (const auto& [text, error] : cases) {
    folder_.write("t.csv", text);
    EXPECT_EQ(replay("t.csv", "o"), to_int(ExitStatus::bad_usage)) << text;
    EXPECT_NE(err_.find(error), err_.npos) << text << '\n' << err_;
  }
  folder_.write("t.csv", "0,0,1,8\n0,0,1,9\n");
  EXPECT_EQ(start({"trace", folder_ / "t.csv", folder_ / "u.tra.bz2"}), 2);
  EXPECT_NE(err_.find("t.csv:2: the message has 9 bytes; Netrace knows 8 and 72"), err_.npos) << err_;
  folder_.write("t.csv", "0,0,1,8\n");
  EXPECT_EQ(replay("t.csv", "o", {"--set", "traffic.trace_region=0"}), 2);
  EXPECT_NE(err_.find("traffic.trace_region: 0 has no effect with traffic.trace"), err_.npos) << err_;
}

}  // namespace
}  // namespace flitmend
