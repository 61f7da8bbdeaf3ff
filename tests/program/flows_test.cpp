// SPDX-License-Identifier: Apache-2.0
// traffic.flows, traffic.matrix and traffic.noxim_table, and what a run says about flows.
#include <cmath>
#include <map>

#include "base/random_stream.h"
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

class Flows : public ProgramFixture {
 protected:
  static std::string mesh(const std::string& traffic, const std::string& more = "") {
    return "network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: " + traffic +
           "\nstatistics: {flows: true}\nsimulation: {warmup: 0, measure: 20000}\n" + more;
  }
  /// The lines of a file in the output folder.
  std::vector<std::string> lines(const std::string& name) const {
    std::istringstream text(read_file(folder_ / name));
    std::vector<std::string> all;
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }
};

// Messages of a Bernoulli flow are binomial; four standard deviations leave 1 flow in 16,000 outside.
TEST_F(Flows, OfferTheirRates) {
  constexpr unsigned kFlows = 64, kLength = 3;
  constexpr double kCycles = 20000;
  RandomStream random(3, RandomPurpose::test);
  std::string file = "from,to,rate,length,class\n";
  std::vector<double> rates;
  for (unsigned i = 0; i < kFlows; ++i) {
    rates.push_back(0.001 + 0.06 * random.uniform());
    const unsigned from = random.below(16), to = (from + 1 + random.below(15)) % 16;
    file += std::to_string(from) + "," + std::to_string(to) + "," + std::to_string(rates[i]) + "," +
            std::to_string(kLength) + "," + (i % 2 ? "odd" : "even") + "\n";
  }
  folder_.write("f.csv", file);
  ASSERT_EQ(run(mesh("{flows: f.csv}"), {"--out", folder_ / "o"}), 0) << err_;
  const auto results = stats("o");
  ASSERT_EQ(results["flows"].size(), kFlows);
  std::uint64_t messages = 0;
  for (unsigned i = 0; i < kFlows; ++i) {
    const auto& flow = results["flows"][i];
    const double p = std::stod(std::to_string(rates[i])) / kLength, mean = kCycles * p;
    EXPECT_NEAR(flow["messages"].get<double>(), mean, 4 * std::sqrt(mean * (1 - p))) << i;
    EXPECT_EQ(flow["delivered"], flow["messages"]);
    EXPECT_EQ(flow["class"], i % 2 ? "odd" : "even");
    messages += flow["messages"].get<std::uint64_t>();
  }
  EXPECT_EQ(messages, results["messages"]["generated"].get<std::uint64_t>());
  ASSERT_EQ(results["classes"].size(), 2u);
  EXPECT_EQ(results["classes"][0]["messages"].get<std::uint64_t>() +
                results["classes"][1]["messages"].get<std::uint64_t>(),
            messages);
  // The effective configuration repeats the run.
  ASSERT_EQ(start({"run", folder_ / "o/config.yaml", "--quiet", "--out", folder_ / "again"}), 0) << err_;
  auto again = stats("again"), first = results;
  again.erase("host");
  first.erase("host");
  EXPECT_EQ(again, first);
}

TEST_F(Flows, AFlowAddedAtTheEndChangesNoMessageOfTheOthers) {
  const auto of_first_two = [&](const std::string& third, const std::string& out) {
    const std::string text =
        "{flows: [{from: 0, to: [3, 3], rate: .1}, {pattern: hotspot, hotspot_nodes: [5, 6], "
        "load: .05, class: hot}" +
        third + "]}";
    EXPECT_EQ(run(mesh(text, "") + "", {"--out", folder_ / out, "--set", "statistics.messages=true"}), 0)
        << err_;
    std::vector<std::string> found;
    for (const std::string& line : lines(out + "/messages.csv")) {
      std::istringstream fields(line);
      std::vector<std::string> all;
      for (std::string field; std::getline(fields, field, ',');) all.push_back(field);
      if (all[3] == "0" || all[3] == "1")
        found.push_back(all[1] + " " + all[2] + " " + all[3] + " " + all[6]);
    }
    std::ranges::sort(found);
    return found;
  };
  const auto two = of_first_two("", "a"), three = of_first_two(", {from: all, to: all, rate: .02}", "b");
  EXPECT_GT(two.size(), 3000u);
  EXPECT_EQ(two, three);
}

TEST_F(Flows, HaveAStartAndAStop) {
  ASSERT_EQ(run(mesh("{flows: [{from: 2, to: 9, rate: .5, length: 2, start: 100, stop: 300}]}"),
                {"--out", folder_ / "o", "--set", "statistics.messages=true"}),
            0)
      << err_;
  const auto all = lines("o/messages.csv");
  EXPECT_EQ(all.front(), "id,source,destination,flow,class,flits,created,injected,arrived,hops,hit,end");
  EXPECT_GT(all.size(), 30u);
  for (std::size_t i = 1; i < all.size(); ++i) {
    unsigned id = 0, created = 0, injected = 0, arrived = 0;
    ASSERT_EQ(std::sscanf(all[i].c_str(), "%u,2,9,0,,2,%u,%u,%u,2,0", &id, &created, &injected, &arrived), 4)
        << all[i];
    EXPECT_EQ(id, i - 1);
    EXPECT_GE(created, 100u);
    EXPECT_LT(created, 300u);
    EXPECT_GE(injected, created);
    EXPECT_GE(arrived, created + 5 * 2 + 6 + 2);
  }
}

// The window ends with the last message of the collectives; what arrives later is not accepted in it.
TEST_F(Flows, NextToCollectivesAddUpToTheTrafficOfTheWindow) {
  ASSERT_EQ(
      run("network: {size: [2, 2]}\ntraffic: {collectives: [{collective: all-to-all, algorithm: direct, "
          "bytes: 8}], flows: [{pattern: uniform, load: 0.6, length: 10}]}\nstatistics: {flows: true}\n",
          {"--out", folder_ / "o"}),
      0)
      << err_;
  const auto results = stats("o");
  double accepted = 0, offered = 0;
  for (const auto& flow : results["flows"]) {
    accepted += flow["accepted"].get<double>();
    offered += flow["offered"].get<double>();
  }
  EXPECT_NEAR(accepted, 4 * results["traffic"]["accepted"].get<double>(), 1e-9);
  EXPECT_NEAR(offered, 4 * results["traffic"]["offered"].get<double>(), 1e-9);
}

TEST_F(Flows, HaveNumbersLikeThoseOfOtherKeys) {
  const auto messages = [&](const std::string& flow) {
    EXPECT_EQ(run("network: {size: [2, 2]}\nsimulation: {measure: 2000}\ntraffic: {flows: [" + flow + "]}\n",
                  {"--out", folder_ / "o"}),
              0)
        << err_;
    return stats("o")["messages"];
  };
  EXPECT_EQ(messages("{from: 0, to: 1, rate: .1, length: 10, start: 1000, stop: 2000}"),
            messages("{from: 0, to: 1, rate: 1e-1, length: 1e1, start: 1e3, stop: 0x7d0}"));
}

TEST_F(Flows, GiveBandwidthsInBytesPerSecond) {
  // 64 bytes every 100 cycles at 800 MHz: 512 MB/s; 10 flits of 8 bytes.
  const std::string flow =
      "{flows: [{name: video, from: 0, to: 5, bandwidth: 512e6, bytes: 64, process: fixed-interval, target: "
      "{bandwidth: 511e6, p99: ";
  ASSERT_EQ(run(mesh(flow + "40}}], clock_mhz: 800}"), {"--out", folder_ / "o", "--strict"}), 0) << err_;
  const auto results = stats("o");
  EXPECT_NEAR(results["flows"][0]["offered"].get<double>(), 0.1, 0.0002);
  EXPECT_NEAR(results["flows"][0]["bandwidth"].get<double>(), 512e6, 3e6);
  EXPECT_EQ(results["flows"][0]["mean"], 5 * 2 + 6 + 10);
  EXPECT_EQ(results["flows"][0]["jitter"], 0.0);
  EXPECT_EQ(results["flows"][0]["missed"], "");
  // A target that is missed is said; only a strict run fails.
  const std::string missed = mesh(flow + "20}}], clock_mhz: 800}");
  EXPECT_EQ(run(missed), 0);
  EXPECT_NE(err_.find("flow video missed its target: p99 26 cycles, target 20"), err_.npos) << err_;
  EXPECT_EQ(run(missed, {"--strict"}), to_int(ExitStatus::target_missed));
}

TEST_F(Flows, OfAMatrixHaveItsRates) {
  std::string matrix;
  for (unsigned s = 0; s < 16; ++s) {
    for (unsigned d = 0; d < 16; ++d)
      matrix += (d ? "," : "") + std::string(d == (s + 5) % 16 ? ".2" : d == (s + 1) % 16 ? ".05" : "0");
    matrix += "\n";
  }
  folder_.write("m.csv", matrix);
  ASSERT_EQ(run(mesh("{matrix: m.csv}"), {"--out", folder_ / "o", "--set", "statistics.messages=true"}), 0)
      << err_;
  EXPECT_NEAR(stats("o")["traffic"]["offered"].get<double>(), 0.25, 0.003);
  std::uint64_t far = 0, near = 0;
  for (const std::string& line : lines("o/messages.csv")) {
    unsigned source = 0, destination = 0;
    if (std::sscanf(line.c_str(), "%*u,%u,%u,", &source, &destination) != 2) continue;
    const unsigned ahead = (destination + 16 - source) % 16;
    ASSERT_TRUE(ahead == 5 || ahead == 1) << line;
    ++(ahead == 5 ? far : near);
  }
  EXPECT_NEAR(static_cast<double>(far) / static_cast<double>(near), 4, 0.3);
}

TEST_F(Flows, OfANoximTableFollowItsRates) {
  folder_.write("t.txt", "% a table\n0 5 0.02\n0 10 0.01 0.05 100 5000 10000\n3 12 .3 0\n");
  ASSERT_EQ(run(mesh("{noxim_table: t.txt, message_length: 2}"), {"--out", folder_ / "o"}), 0) << err_;
  const auto flows = stats("o")["flows"];
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[0]["name"], "0 to 5");
  // Node 3 never sends in two cycles in a row: p / (1 + p) packets per cycle.
  EXPECT_NEAR(flows[2]["messages"].get<double>(), 20000 * .3 / 1.3, 4 * std::sqrt(20000 * .3));
  // Row 1 is active in 4899 of 10,000 cycles. After a packet the sum is .07 in them, else .03.
  const double active = 2 * 4899, sent = active * .03 / (1 - .07 + .03) + (20000 - active) * .02;
  const double both = flows[0]["messages"].get<double>() + flows[1]["messages"].get<double>();
  EXPECT_NEAR(both, sent, 4 * std::sqrt(sent));
}

// Rows whose windows do not meet may each fill their own, and a rate is a mean over a period.
TEST_F(Flows, OfANoximTableMayTakeTurns) {
  folder_.write("t.txt",
                "0 5 .5 .5 0 10 1000\n0 6 .9 .9 500 510 1000\n1 2 .6 .6 0 501 1000\n1 3 .6 .6 500 1000\n");
  ASSERT_EQ(run(mesh("{noxim_table: t.txt, message_length: 1}"), {"--out", folder_ / "o"}), 0) << err_;
  const auto flows = stats("o")["flows"];
  const double expected[] = {20 * 9 * .5, 20 * 9 * .9, 20 * 500 * .6, 20 * 499 * .6};
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_NEAR(flows[i]["messages"].get<double>(), expected[i], 4 * std::sqrt(expected[i])) << i;
  for (const auto& [table, error] : {
           std::pair{"0 5 .5 .5 0 10 1000\n0 6 .6 .6 5 15 1000\n",
                     "t.txt:2: traffic.noxim_table: the rows of node 0 up to this one add up to 1.1 packets"},
           std::pair{"0 5 .5 .5 0 10 1000\n0 6 .6 .6 500 510 1100\n",
                     "(all at once, because their periods differ)"},
           std::pair{"0 5 .9\n",
                     "t.txt:1: traffic.noxim_table: the rows of node 0 up to this one add up to 4.5 flits"},
       }) {
    folder_.write("t.txt", table);
    EXPECT_EQ(run(mesh("{noxim_table: t.txt, message_length: 5}")), 2) << table;
    EXPECT_NE(err_.find(error), err_.npos) << table << err_;
  }
}

// Bandwidths follow the clock, whatever sends.
TEST_F(Flows, OfEveryWorkloadFollowTheClock) {
  folder_.write("t.txt", "0 5 .01\n");
  folder_.write("t.csv", "0,0,5,8\n90,0,5,72\n");
  const auto bandwidth = [&](const std::string& traffic, const char* clock) {
    EXPECT_EQ(run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: " + traffic +
                      "\nstatistics: {flows: true}\n",
                  {"--out", folder_ / "o", "--set", clock}),
              0)
        << err_;
    return stats("o")["flows"][0]["bandwidth"].get<double>();
  };
  for (const char* const traffic : {"{noxim_table: t.txt}", "{trace: t.csv}", "{mode: closed-loop}"}) {
    const double slow = bandwidth(traffic, "traffic.clock_mhz=500");
    EXPECT_GT(slow, 0) << traffic;
    EXPECT_NEAR(bandwidth(traffic, "traffic.clock_mhz=2000") / slow, 4, 1e-9) << traffic;
  }
}

TEST_F(Flows, SayWhatHasNoEffect) {
  const std::string own = "{flows: [{from: 0, to: 5, rate: .1, length: 4, process: poisson";
  ASSERT_EQ(run(mesh(own + "}], message_length: 9, injection: fixed-interval}"), {"--strict"}), 0) << err_;
  for (const char* const key : {"traffic.message_length", "traffic.injection"})
    EXPECT_NE(err_.find(std::string(key) + " has no effect, because no flow uses it"), err_.npos) << err_;
  EXPECT_NE(err_.find("--strict has no effect, because no flow has a target"), err_.npos) << err_;
  ASSERT_EQ(
      run(mesh(own + ", target: {p99: 900}}, {from: 1, to: 2, rate: .1}], message_length: 9, injection: "
                     "fixed-interval}"),
          {"--strict"}),
      0)
      << err_;
  EXPECT_EQ(err_.find("no effect"), err_.npos) << err_;
}

// Every message has its hit and its end, whether it arrived or not.
// What cannot be carried, or is never sent, is said before the run.
TEST_F(Flows, SayWhatIsOverloaded) {
  const auto notes = [&](const std::string& flows, const std::string& more = "") {
    EXPECT_EQ(run("network: {size: [4, 4]}\nrouter: {preset: iq}\nsimulation: {warmup: 10, measure: 200}\n"
                  "traffic: {message_length: 1, flows: " +
                  flows + "}\n" + more),
              0)
        << err_;
    return err_;
  };
  EXPECT_NE(
      notes("[{from: 4, to: 5, rate: .6}, {from: 1, to: 5, rate: .6}]")
          .find("flows bring 1.2 flits per cycle to router_1_1, which takes 1 at most; lower their rates"),
      err_.npos)
      << err_;
  EXPECT_EQ(err_.find("flows put"), err_.npos) << err_;
  EXPECT_NE(
      notes("[{from: 0, to: 2, rate: .6}, {from: 1, to: 3, rate: .65}]")
          .find("flows put 1.25 flits per cycle on the channel router_1_0.east, which carries 1 at most"),
      err_.npos)
      << err_;
  EXPECT_EQ(err_.find("flows bring"), err_.npos) << err_;
  // Not at the same time, not always the same way, and just not too much.
  EXPECT_EQ(notes("[{from: 0, to: 2, rate: .6, stop: 100}, {from: 1, to: 3, rate: .65, start: 100}]"), "");
  EXPECT_EQ(notes("[{from: 0, to: 2, rate: .6}, {from: 1, to: 3, rate: .65}]",
                  "routing: {algorithm: west-first}\n"),
            "");
  EXPECT_EQ(notes("[{from: [0, [1, 0]], to: 2, rate: .5}]"), "");
  // Every node sends the same share to every other one.
  EXPECT_EQ(notes("[{pattern: uniform, load: .3}, {from: all, to: all, rate: .2}]"), "");
  notes("[{from: all, to: 5, rate: .2}]");
  EXPECT_NE(err_.find("flows bring 3 flits per cycle to router_1_1"), err_.npos) << err_;
  EXPECT_NE(err_.find("flows put 1.6 flits per cycle on the channel router_1_2.south"), err_.npos) << err_;
  notes("[{from: all, to: 5, rate: .2}, {from: all, to: 6, rate: .2}, {from: all, to: 9, rate: .2}]");
  EXPECT_NE(err_.find("more of the nodes and channels are overloaded by flows"), err_.npos) << err_;
  EXPECT_NE(
      notes("[{name: late, from: 0, to: 2, rate: .1, start: 210}]")
          .find("flow 'late' starts in cycle 210, but nothing is sent from cycle 210 on; start it earlier"),
      err_.npos)
      << err_;
  EXPECT_EQ(notes("[{name: early, from: 0, to: 2, rate: .1, start: 209}]"), "");
  folder_.write("t.txt", "0 5 .1\n1 5 .1 .1 209 300\n1 6 .1 .1 208 300\n");
  EXPECT_EQ(run(mesh("{noxim_table: t.txt, message_length: 1}"),
                {"--set", "simulation.warmup=10", "--set", "simulation.measure=200"}),
            0);
  EXPECT_NE(err_.find("flow '1 to 5' starts in cycle 210, but nothing is sent from cycle 210 on"), err_.npos)
      << err_;
  EXPECT_EQ(err_.find("'1 to 6'"), err_.npos) << err_;
  folder_.write("t.txt", "0 5 .6\n1 5 .6\n");
  EXPECT_EQ(run(mesh("{noxim_table: t.txt, message_length: 1}")), 0);
  EXPECT_NE(err_.find("flows bring 1.2 flits per cycle to router_1_1"), err_.npos) << err_;
}

TEST_F(Flows, MessagesHaveHitsAndEnds) {
  for (const char* protocol : {"none", "end-to-end"}) {
    ASSERT_EQ(
        run("network: {size: [5, 5]}\nrecovery: {protocol: " + std::string(protocol) +
                "}\ntraffic: {load: 0.1}\nfaults: {static_nodes: [[4, 4]], node_rate: 2.0e-4, link_rate: "
                "1.0e-4, duration: 20, events: [{cycle: 900, node: [0, 4], duration: permanent}]}\n"
                "statistics: {messages: true}\nsimulation: {warmup: 0, measure: 4000}\n",
            {"--out", folder_ / "o", "--allow-deadlock"}),
        0)
        << err_;
    std::map<std::string, std::uint64_t> ends;
    std::uint64_t hit = 0;
    const auto all = lines("o/messages.csv");
    for (std::size_t i = 1; i < all.size(); ++i) {
      const std::size_t end = all[i].rfind(',');
      ++ends[all[i].substr(end + 1)];
      const std::string flag = all[i].substr(end - 2, 2);
      ASSERT_TRUE(flag == ",0" || flag == ",1") << all[i];
      hit += flag == ",1";
    }
    const auto messages = stats("o")["messages"];
    EXPECT_GT(hit, 10u);
    EXPECT_EQ(hit, messages["hit"]) << protocol;
    for (const char* const end : {"delivered", "lost", "undeliverable", "void"})
      EXPECT_EQ(ends[end], messages[end]) << protocol << ' ' << end;
    EXPECT_EQ(ends[""], messages["in_flight"]) << protocol;
  }
}

TEST_F(Flows, AreRefusedWithPlaceAndRemedy) {
  struct Case {
    std::string flows, error;
  };
  for (const Case& c : {
           Case{"[{from: 0, to: 99, rate: .1}]", "c.yaml:3:33: there is no node 99 in the 4x4 mesh"},
           Case{"[{from: 0, to: 0, rate: .1}]", "router_0_0 does not send to itself"},
           Case{"[{from: 0, to: 1}]", "rate: not given; give flits per cycle"},
           Case{"[{from: 0, rate: .1}]", "to: not given; name nodes"},
           Case{"[{from: 0, to: 1, rate: fast}]", "c.yaml:3:42: rate: 'fast' is not a number"},
           Case{"[{from: 0, to: 1, rate: -1}]", "rate: '-1' is out of range; it must be 0 to 64"},
           Case{"[{from: 0, to: 1, rate: nan}]", "is not a number"},
           Case{"[{from: 0, to: 1, rate: .1, lenght: 3}]", "unknown key 'lenght' (did you mean 'length'?)"},
           Case{"[{from: [], to: 1, rate: .1}]",
                "from: expected a number, a word or a list, found an empty list"},
           Case{"[{from: 0, to: 1, rate: .1, target: {}}]", "target: no key; give bandwidth, p99 or both"},
           Case{"[{from: 0, to: 1, rate: 1.0000001}]",
                "rate: 1.0000001 flits per cycle are more than a node can"},
           Case{"[{from: 0, to: 1, rate: .1, length: 2.5}]", "length: '2.5' is not a whole number"},
           Case{"[{from: 0, to: 1, rate: .1, length: 1e99}]",
                "length: '1e99' is out of range; it must be 1 to"},
           Case{"[{from: 0, to: 1, rate: .1, length: 0}]",
                "length: '0' is out of range; it must be 1 to 65535"},
           Case{"[{from: 0, to: 1, rate: .1, priority: 1}]", "priority: only classes have priorities"},
           Case{"[{from: 0, to: 1, rate: .1, bandwidth: 5}]", "bandwidth: not together with rate"},
           Case{"[{from: 0, to: 1, bandwidth: 5}]", "needs messages of one size"},
           Case{"[{from: 0, to: 1, rate: .1, start: 5, stop: 5}]", "stop: cycle 5 is not after start"},
           Case{"[{from: 0, to: 1, rate: .1, process: daily}]",
                "unknown process 'daily'; available: bernoulli"},
           Case{"[{from: [0, 1, 0], to: 1, rate: .1}]", "there is no node [0, 1, 0]"},
           Case{"[{from: 0, to: [3, 7], rate: .1}]",
                "coordinates in its 2 dimensions; several nodes by their numbers are written like '3;7'"},
           Case{"[{name: \"a\\eb\", from: 0, to: 1, rate: .1}]",
                "name: 'a\\x1bb' has characters that nobody can see; remove them"},
           Case{"[{class: \"a\\tb\", from: 0, to: 1, rate: .1}]", "class: 'a\\tb' has characters"},
           Case{"[{from: 0, to: 1, rate: .1, zzzzzz: 3}]", "unknown key 'zzzzzz'; known: from, to, rate"},
           Case{"[{from: \"0;0\", to: 1, rate: .1}]", "router_0_0 is listed twice"},
           Case{"[{pattern: spiral, load: .1}]", "unknown pattern 'spiral'"},
           Case{"[{pattern: uniform}]", "load: not given"},
           Case{"[{pattern: uniform, load: .1, from: 3}]", "unknown key 'from'"},
           Case{"[{pattern: permutation, load: .1}]", "permutation has a file; list its pairs as flows"},
           Case{"[{from: 0, to: 1, rate: .7}, {from: 0, to: 2, rate: .6}]",
                "the flows of router_0_0 add up to 1.3 flits per cycle from cycle 0 on"},
           Case{"[{name: a, from: 0, to: 1, rate: .1}, {name: a, from: 0, to: 2, rate: .1}]",
                "the name 'a' is that of the flow at "},
           Case{"[{from: 0, to: 1, rate: .1}], load: .3", "0.3 has no effect with flows (traffic.flows"},
           Case{"[{from: 0, to: 1, rate: .1}], pattern: tornado", "tornado has no effect with flows"},
           Case{"{from: 0}", "expected a list like"},
           Case{"nowhere.csv", "nowhere.csv"},
       }) {
    EXPECT_EQ(run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {flows: " + c.flows + "}\n"),
              to_int(ExitStatus::bad_usage))
        << c.flows;
    EXPECT_NE(err_.find(c.error), err_.npos) << c.flows << '\n' << err_;
  }
  folder_.write("f.csv", "from,to,rate\n0,1,.1\n0,router_9_9,.1\n");
  EXPECT_EQ(run(mesh("{flows: f.csv}")), 2);
  EXPECT_NE(err_.find("f.csv:3:3: there is no node router_9_9"), err_.npos) << err_;
  folder_.write("m.csv", "0,1\n");
  EXPECT_EQ(run(mesh("{matrix: m.csv}")), 2);
  EXPECT_NE(err_.find("m.csv:1"), err_.npos) << err_;
  folder_.write("t.txt", "0 1 .1\n0 77\n");
  EXPECT_EQ(run(mesh("{noxim_table: t.txt}")), 2);
  EXPECT_NE(err_.find("t.txt:2: destination '77' is not a number from 0 to 15"), err_.npos) << err_;
  folder_.write("t.txt", "0 1 .1\n0 5 .01 .01 0 1\n");
  EXPECT_EQ(run(mesh("{noxim_table: t.txt}")), 2);
  EXPECT_NE(err_.find("t.txt:2: t_off 1 is the cycle after t_on: the row is never active; raise it"),
            err_.npos)
      << err_;
}

}  // namespace
}  // namespace flitmend
