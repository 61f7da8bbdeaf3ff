// SPDX-License-Identifier: Apache-2.0
// statistics.timeline, nodes and blocking against what is known otherwise.
#include <cmath>
#include <map>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

class OptionalStatistics : public ProgramFixture {
 protected:
  Json results(const std::string& text, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"--out", folder_ / "o"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(text, words), 0) << err_;
    return stats("o");
  }
  static double sum(const Json& slices, const char* key) {
    double all = 0;
    for (const Json& slice : slices)
      if (!slice[key].is_null()) all += slice[key].get<double>() * slice["cycles"].get<double>();
    return all;
  }
  static std::uint64_t total(const Json& waits) {
    std::uint64_t all = 0;
    for (const char* const cause : {"route", "vc", "acknowledgement", "credit", "switch", "link"})
      all += waits[cause].get<std::uint64_t>();
    return all;
  }
};

// A message of one flit that has a virtual channel for itself is the first of every buffer that it is in. So
// all that its way takes beyond an empty network's is waiting, and nothing else is.
TEST_F(OptionalStatistics, BlockingIsAllThatLatencyHasBeyondAnEmptyNetwork) {
  for (const std::string hardware :
       {"router: {preset: iq}", "router: {preset: iq, virtual_channels: 1}",
        "router: {preset: iq, virtual_channels: 2, input_buffer: 1}\nlink: {latency: 3}",
        "router: {preset: iq, virtual_channels: 2, output_buffer: 1}",
        "router: {preset: iq, virtual_channels: 3, output_buffer: 4, input_buffer: 2}\nlink: {latency: 2}",
        "router: {preset: iq, allocator_iterations: 3}\nnetwork: {size: [3, 3, 2]}"}) {
    const std::string setup =
        hardware + (hardware.find("network:") == hardware.npos ? "\nnetwork: {size: [4, 4]}" : "") +
        "\nstatistics: {blocking: true}\n";
    const std::vector<std::string> atomic = {"--set", "router.vc_reallocation=atomic"};
    const auto alone = [&](const std::string& to) {
      const Json one =
          results(setup + "traffic: {messages: [{cycle: 0, from: 0, to: " + to + ", length: 1}]}\n", atomic);
      EXPECT_EQ(total(one["blocking"]), 0u) << hardware;
      return one["latency"]["network"]["mean"].get<double>();
    };
    const double first = alone("1"), hop = alone("2") - first;
    const Json busy = results(
        setup + "traffic: {mode: batch, requests: 60, outstanding: 8, message_length: 1, reply_length: 0}\n",
        atomic);
    const Json& network = busy["latency"]["network"];
    const double count = network["count"], hops = busy["hops"]["mean"];
    const double empty = first + (hops - 1) * hop;
    EXPECT_GT(total(busy["blocking"]), 1000u) << hardware;
    EXPECT_NEAR(total(busy["blocking"]), (network["mean"].get<double>() - empty) * count, 1e-6 * count)
        << hardware;
    for (const char* const list : {"routers", "virtual_channels"}) {
      std::map<std::string, std::uint64_t> by_cause;
      for (const Json& part : busy["blocking"][list])
        for (const char* const cause : {"route", "vc", "acknowledgement", "credit", "switch", "link"})
          by_cause[cause] += part[cause].get<std::uint64_t>();
      for (const auto& [cause, cycles] : by_cause) EXPECT_EQ(cycles, busy["blocking"][cause]) << list;
    }
  }
}

// Two messages want the channel from node 1 to node 2. With one virtual channel the second head waits for it,
// with two its flits wait for the switch.
TEST_F(OptionalStatistics, BlockingNamesTheCause) {
  const std::string line =
      "network: {size: [4]}\nrouter: {preset: iq, input_buffer: 8}\nstatistics: {blocking: true, messages: "
      "true}\n";
  const auto two = [&](const std::string& vcs) {
    return results(
        line +
            "traffic: {messages: [{cycle: 0, from: 1, to: 2, length: 16}, {cycle: 3, from: 0, to: 3, "
            "length: 3}]}\n",
        {"--set", "router.virtual_channels=" + vcs});
  };
  const auto latency = [&] {  // of the message from node 0
    std::istringstream log(read_file(folder_ / "o/messages.csv"));
    for (std::string text; std::getline(log, text);) {
      std::vector<std::string> fields;
      std::istringstream line_of(text);
      for (std::string field; std::getline(line_of, field, ',');) fields.push_back(field);
      if (fields[1] == "0") return std::stoi(fields[8]) - std::stoi(fields[6]);
    }
    return -1;
  };
  const Json one = two("1");
  // The head follows the other message's tail into the same buffer, and is behind it there for a cycle.
  EXPECT_EQ(one["blocking"]["vc"].get<int>() + 1, latency() - (5 * 3 + 6 + 3));
  EXPECT_GT(one["blocking"]["vc"], 5u);
  EXPECT_EQ(one["blocking"]["vc"], one["blocking"]["routers"][1]["vc"]);
  EXPECT_EQ(total(one["blocking"]), one["blocking"]["vc"]);
  const Json shared = two("2");
  EXPECT_GE(shared["blocking"]["switch"], 3u);
  EXPECT_EQ(total(shared["blocking"]), shared["blocking"]["switch"]);

  // In buffers of one flit each flit waits for the credit of the one before it, and for nothing else.
  const Json alone = results(line + "traffic: {messages: [{cycle: 0, from: 0, to: 3, length: 9}]}\n",
                             {"--set", "router.input_buffer=1"});
  EXPECT_GE(alone["blocking"]["credit"], 8u);
  EXPECT_EQ(total(alone["blocking"]), alone["blocking"]["credit"]);
  EXPECT_EQ(alone["blocking"]["routers"][3]["credit"], 0u) << "a node takes a flit per cycle";
}

// A link is down for some cycles: the head waits at its router for a route, and then until the credits are
// back.
TEST_F(OptionalStatistics, BlockingForARouteLastsAsLongAsTheFault) {
  for (const int latency : {1, 2, 4})
    for (const int duration : {100, 180, 181}) {
      const Json run =
          results("network: {size: [4]}\nrouter: {preset: iq}\nlink: {latency: " + std::to_string(latency) +
                  "}\nstatistics: {blocking: true}\ntraffic: {messages: [{cycle: 5, from: 0, to: 3, length: "
                  "3}]}\nfaults: "
                  "{events: [{cycle: 0, link: [1, 2], duration: " +
                  std::to_string(duration) + "}]}\n");
      const int empty = (4 + latency) * 3 + 6 + 3, waits = run["latency"]["total"]["max"].get<int>() - empty;
      EXPECT_GT(waits, duration - 25);
      EXPECT_EQ(run["blocking"]["vc"], latency + 1);
      EXPECT_EQ(run["blocking"]["route"], waits - (latency + 1));
      EXPECT_EQ(run["blocking"]["routers"][1]["route"], run["blocking"]["route"]);
      EXPECT_EQ(total(run["blocking"]), static_cast<std::uint64_t>(waits));
    }
}

// A head takes 5 cycles per hop to reserve its path, and the acknowledgement one per hop back. The data wait
// for it at the source only, and then take 3 per hop.
TEST_F(OptionalStatistics, BlockingForAnAcknowledgementIsApartFromTheSwitch) {
  for (const int hops : {1, 2, 3})
    for (const char* const length : {"2", "9"}) {
      const std::string text =
          "network: {size: [4]}\nrouter: {preset: iq}\nstatistics: {blocking: true}\ntraffic: {messages: "
          "[{cycle: 0, "
          "from: 0, to: " +
          std::to_string(hops) + ", length: " + length + "}]}\n";
      const Json circuit = results(text, {"--set", "router.switching=pipelined-circuit"}),
                 wormhole = results(text);
      EXPECT_EQ(circuit["blocking"]["acknowledgement"], 6 * hops);
      EXPECT_EQ(total(circuit["blocking"]), static_cast<std::uint64_t>(6 * hops));
      EXPECT_EQ(circuit["blocking"]["routers"][0]["acknowledgement"], 6 * hops);
      EXPECT_EQ(total(wormhole["blocking"]), 0u);
      EXPECT_EQ(
          circuit["latency"]["total"]["max"].get<int>() - wormhole["latency"]["total"]["max"].get<int>(),
          4 * hops);
    }
}

// Preset sbrp: both messages enter the output buffers of router 1 at the same time, and the link takes turns.
TEST_F(OptionalStatistics, BlockingInOutputBuffersIsThatOfTheLink) {
  const std::string text =
      "network: {size: [4]}\nrouter: {preset: sbrp, virtual_channels: 3, input_buffer: 16, output_buffer: "
      "16}\n"
      "statistics: {blocking: true}\ntraffic: {messages: [{cycle: 0, from: 1, to: 2, length: 4}";
  EXPECT_EQ(total(results(text + "]}\n")["blocking"]), 0u);
  const Json two = results(text + ", {cycle: 0, from: 0, to: 2, length: 4}]}\n");
  EXPECT_EQ(two["blocking"]["link"], 4u);
  EXPECT_EQ(total(two["blocking"]), 4u);
  EXPECT_EQ(two["blocking"]["routers"][1]["link"], 4u);
}

TEST_F(OptionalStatistics, TheTimeLineCountsNodesThatAreNotDead) {
  const Json run = results(
      "network: {size: [4, 4]}\nrouting: {algorithm: up-down}\nrecovery: {protocol: end-to-end}\ntraffic: "
      "{load: .1}\n"
      "simulation: {warmup: 0, measure: 2000, drain: false}\nfaults: {static_nodes: [15], events: [{cycle: "
      "999, node: "
      "0, duration: permanent}]}\nstatistics: {timeline: 2}\n");
  const Json& slices = run["timeline"];
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[1]["begin"], 1000);
  const double flits =
      1000 * (15 * slices[0]["offered"].get<double>() + 14 * slices[1]["offered"].get<double>());
  EXPECT_NEAR(flits, run["traffic"]["offered"].get<double>() * 1000 * (15 + 14), 1e-6);
}

TEST_F(OptionalStatistics, TheTimeLineAddsUpToTheRun) {
  const Json run = results(
      "network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {load: .2}\n"
      "simulation: {warmup: 0, measure: 3001}\nstatistics: {timeline: 7}\n");
  const Json& slices = run["timeline"];
  ASSERT_EQ(slices.size(), 7u);
  std::uint64_t next = 0;
  for (const Json& slice : slices) {
    EXPECT_EQ(slice["begin"], next);
    next += slice["cycles"].get<std::uint64_t>();
  }
  EXPECT_EQ(next, run["simulation"]["cycles"]);
  EXPECT_NEAR(sum(slices, "accepted") * 16, run["flits"]["consumed"].get<double>(), 1e-6);
  EXPECT_NEAR(sum(slices, "offered") * 16, run["flits"]["consumed"].get<double>(), 1e-6);
  // Little's law: the flits in flight are the injected ones times the time that they stay.
  EXPECT_GT(slices[3]["in_flight"], 16 * .2 * 15);
  EXPECT_LT(slices[3]["in_flight"], 16 * .2 * 40);
  EXPECT_GT(slices[3]["occupancy"], 0);
  EXPECT_LT(slices[3]["occupancy"], .2);
}

// Every flit of a message alone stays for the same time, so the sum over the cycles is in proportion to its
// length.
TEST_F(OptionalStatistics, TheTimeLineOfABurst) {
  const auto of = [&](const std::string& messages, const std::string& slices) {
    return results("network: {size: [4, 4]}\nrouter: {preset: iq, input_buffer: 8}\ntraffic: {messages: [" +
                   messages + "]}\nstatistics: {timeline: " + slices + "}\n");
  };
  const double one = sum(of("{cycle: 0, from: 0, to: 15, length: 1}", "1")["timeline"], "in_flight");
  EXPECT_GT(one, 5 * 6);
  EXPECT_LE(one, 5 * 6 + 7);
  const Json nine = of("{cycle: 0, from: 0, to: 15, length: 9}", "1000");
  EXPECT_NEAR(sum(nine["timeline"], "in_flight"), 9 * one, 1e-9);
  // More slices than cycles: each has one.
  ASSERT_EQ(nine["timeline"].size(), nine["simulation"]["cycles"]);
  for (const Json& slice : nine["timeline"]) EXPECT_EQ(slice["cycles"], 1);
  EXPECT_EQ(nine["timeline"][0]["offered"], 9. / 16);
  const std::size_t arrival = 5 * 6 + 6 + 9;
  EXPECT_EQ(nine["timeline"][arrival]["accepted"], 9. / 16);
  EXPECT_EQ(nine["timeline"][arrival]["mean"], arrival);
  EXPECT_EQ(nine["timeline"][arrival]["in_flight"], 0);
  EXPECT_TRUE(nine["timeline"][1]["mean"].is_null());
  // A pause of a billion cycles is passed, and has its slices.
  const Json later =
      of("{cycle: 0, from: 0, to: 15, length: 9}, {cycle: 1000000000, from: 0, to: 15, length: 9}", "10");
  ASSERT_EQ(later["timeline"].size(), 10u);
  EXPECT_NEAR(sum(later["timeline"], "in_flight"), 18 * one, 1e-3);
  EXPECT_NEAR(sum(later["timeline"], "accepted") * 16, 18, 1e-6);
  EXPECT_EQ(later["timeline"][5]["in_flight"], 0);
}

TEST_F(OptionalStatistics, NodesAddUpToTheNetwork) {
  const Json run = results(
      "network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {pattern: hotspot, hotspot_nodes: [5], load: "
      ".1}\n"
      "simulation: {warmup: 500, measure: 3000}\nstatistics: {nodes: true}\n");
  ASSERT_EQ(run["nodes"].size(), 16u);
  double offered = 0, accepted = 0, sent = 0, received = 0, sent_time = 0, received_time = 0;
  for (const Json& node : run["nodes"]) {
    offered += node["offered"].get<double>() / 16;
    accepted += node["accepted"].get<double>() / 16;
    sent += node["sent"].get<double>();
    received += node["received"].get<double>();
    sent_time += node["sent"].get<double>() * node["sent_mean"].get<double>();
    received_time += node["received"].get<double>() * node["received_mean"].get<double>();
  }
  EXPECT_NEAR(offered, run["traffic"]["offered"], 1e-9);
  EXPECT_NEAR(accepted, run["traffic"]["accepted"], 1e-9);
  const Json& latency = run["latency"]["total"];
  EXPECT_EQ(sent, latency["count"]);
  EXPECT_EQ(received, latency["count"]);
  EXPECT_NEAR(sent_time / sent, latency["mean"], 1e-9);
  EXPECT_NEAR(received_time / received, latency["mean"], 1e-9);
  EXPECT_GT(run["nodes"][5]["accepted"], 2 * run["nodes"][6]["accepted"].get<double>());
  EXPECT_EQ(run["nodes"][5]["name"], "router_1_1");
}

}  // namespace
}  // namespace flitmend
