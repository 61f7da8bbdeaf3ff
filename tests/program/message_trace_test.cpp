// SPDX-License-Identifier: Apache-2.0
// CSV traces, and flitmend trace.
#include <algorithm>
#include <set>

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
