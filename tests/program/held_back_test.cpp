// SPDX-License-Identifier: Apache-2.0
// Messages that a full source queue holds back: they have been created, and count.
#include "support/netrace_bytes.h"
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class HeldBack : public ProgramFixture {
 protected:
  /// Statistics of a run of that text with that limit of the source queue.
  nlohmann::ordered_json with_queue(const std::string& text, int queue,
                                    const std::vector<std::string>& more = {}, int status = 0) {
    const std::string out = "q" + std::to_string(queue);
    std::vector<std::string> words = {"--set", "network_interface.source_queue=" + std::to_string(queue),
                                      "--out", folder_ / out};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(text, words), status) << err_;
    return stats(out);
  }
  static void expect_all_accounted_for(const nlohmann::ordered_json& m) {
    EXPECT_EQ(m["generated"].get<int>(), m["delivered"].get<int>() + m["lost"].get<int>() +
                                             m["undeliverable"].get<int>() + m["void"].get<int>() +
                                             m["in_flight"].get<int>());
    EXPECT_LE(m["held_back"].get<int>(), m["in_flight"].get<int>());
  }
};

// More than the network takes. Where messages wait changes nothing that is seen from outside.
TEST_F(HeldBack, OverloadIsTheSameWithAnyQueue) {
  const std::string text =
      "network: {topology: mesh, size: [2]}\nrouter: {preset: iq, virtual_channels: 1}\n"
      "traffic: {pattern: neighbour, load: 1.0, message_length: 1}\nsimulation: {warmup: 0, measure: 3000}";
  const auto unlimited = with_queue(text, 0);
  EXPECT_EQ(unlimited["traffic"]["offered"], 1.0);
  for (const int queue : {1, 2, 4, 16}) {
    const auto s = with_queue(text, queue);
    EXPECT_EQ(s["messages"], unlimited["messages"]) << queue;
    EXPECT_EQ(s["traffic"], unlimited["traffic"]) << queue;
    EXPECT_EQ(s["latency"], unlimited["latency"]) << queue;
    EXPECT_EQ(s["messages"]["held_back"], 0) << "after a drain";
  }
}

TEST_F(HeldBack, WithoutADrainTheyAreInFlight) {
  for (const std::string processes : {"bernoulli", "poisson", "bursty", "fixed-interval"}) {
    const std::string text = "network: {size: [4, 4]}\ntraffic: {load: 0.9, injection: " + processes +
                             ", length_distribution: bimodal}\nstatistics: {detours: true}\n"
                             "simulation: {warmup: 500, measure: 2000, drain: false}";
    const auto unlimited = with_queue(text, 0);
    const auto limited = with_queue(text, 1);
    EXPECT_EQ(unlimited["messages"]["held_back"], 0);
    EXPECT_GT(limited["messages"]["held_back"], 100);
    EXPECT_EQ(limited["messages"]["generated"], unlimited["messages"]["generated"]) << processes;
    EXPECT_EQ(limited["traffic"]["offered"], unlimited["traffic"]["offered"]) << processes;
    EXPECT_NEAR(limited["detours"]["not_delivered"], unlimited["detours"]["not_delivered"], 0.01)
        << processes;
    expect_all_accounted_for(limited["messages"]);
    EXPECT_EQ(limited["contract"]["holds"], true);
  }
}

// What a dead processing element had created before it died is void, held back or not; later ones never were.
// Which messages to it are undeliverable depends a little on when they leave.
TEST_F(HeldBack, ThoseOfADeadNodeAreVoid) {
  const std::string base =
      "network: {size: [4, 4]}\nrouter: {virtual_channels: 2}\ntraffic: {load: 0.9}\n"
      "faults: {events: [{cycle: 700, node: 5, duration: permanent}, {cycle: 900, node: 9, duration: "
      "permanent}]}\n"
      "recovery: {protocol: end-to-end}\nsimulation: {warmup: 200, measure: 1500";
  const auto given_up = [](const nlohmann::ordered_json& s) {
    return s["messages"]["void"].get<double>() + s["messages"]["undeliverable"].get<double>();
  };
  for (const bool drain : {true, false}) {
    const std::string text = base + (drain ? "}" : ", drain: false}");
    const auto unlimited = with_queue(text, 0);
    EXPECT_GT(unlimited["messages"]["void"], 100);
    for (const int queue : {1, 3}) {
      const auto s = with_queue(text, queue);
      EXPECT_EQ(s["messages"]["generated"], unlimited["messages"]["generated"]) << queue;
      EXPECT_EQ(s["traffic"]["offered"], unlimited["traffic"]["offered"]) << queue;
      EXPECT_EQ(s["messages"]["void"], unlimited["messages"]["void"]) << queue;
      expect_all_accounted_for(s["messages"]);
      if (drain) {
        EXPECT_NEAR(given_up(s), given_up(unlimited), 0.06 * given_up(unlimited)) << queue;
        EXPECT_EQ(s["messages"]["in_flight"], 0) << queue;
      } else {
        EXPECT_LE(given_up(s), given_up(unlimited)) << queue;
        EXPECT_GT(s["messages"]["held_back"], 1000) << queue;
      }
    }
  }
}

class HeldBackTrace : public HeldBack {
 protected:
  /// A trace of two nodes: `packets` of 8 bytes from the first to the second, all in cycle 10.
  std::string trace(unsigned packets) {
    test::RawHeader header;
    header.nodes = 2;
    header.packets = packets;
    std::string bytes = header.bytes();
    for (std::uint32_t id = 1; id <= packets; ++id)
      bytes += test::raw_packet(
          {.cycle = 10, .id = id, .address = 0x1000, .type = 1, .source = 0, .destination = 1});
    return folder_.write("t.bz2", test::bzip2(bytes));
  }
};

TEST_F(HeldBackTrace, PacketsAreCreatedWhenTheTraceSaysSo) {
  const std::string text = "network: {topology: mesh, size: [2]}\ntraffic: {trace: " + trace(200) + "}";
  const auto unlimited = with_queue(text, 0);
  EXPECT_GT(unlimited["latency"]["total"]["mean"], 200) << "3 flits each, one after the other";
  EXPECT_EQ(with_queue(text, 1)["latency"], unlimited["latency"]);
  const auto cut = with_queue(text, 1, {"--set", "simulation.max_cycles=100"}, 5);
  EXPECT_EQ(cut["messages"]["generated"], 200);
  EXPECT_GT(cut["messages"]["held_back"], 100);
  expect_all_accounted_for(cut["messages"]);
}

// From cycle 0 to the last delivery, and not to the end of the last credit.
TEST_F(HeldBackTrace, TheMeasuredWindowEndsWithTheLastDelivery) {
  const std::string text =
      "network: {topology: mesh, size: [2]}\nlink: {latency: 1024}\ntraffic: {trace: " + trace(1) +
      "}\nstatistics: {channels: true}";
  const auto s = with_queue(text, 0);
  const int last = s["simulation"]["last_delivery"];
  EXPECT_EQ(last, 10 + s["latency"]["total"]["max"].get<int>());
  EXPECT_EQ(s["simulation"]["measured_cycles"], last + 1);
  EXPECT_GT(s["simulation"]["cycles"], last + 1024) << "the last credits return";
  double utilisation = 0;
  for (const auto& channel : s["channels"]) utilisation += channel["utilisation"].get<double>();
  EXPECT_NEAR(utilisation, 3.0 / (last + 1), 1e-12);
}

}  // namespace
}  // namespace flitmend
