// SPDX-License-Identifier: Apache-2.0
// traffic.mode closed-loop and batch.
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

class ClosedLoopRuns : public ProgramFixture {
 protected:
  /// Statistics of a batch between the ends of a line of 7 nodes, 6 hops.
  nlohmann::ordered_json pair(unsigned window, unsigned request, unsigned reply, unsigned service = 0,
                              unsigned think = 0) {
    folder_.write("pair.txt", "0 6\n");
    const std::string text =
        "network: {size: [7]}\nrouter: {preset: iq}\ntraffic: {mode: batch, pattern: permutation, "
        "permutation_file: "
        "pair.txt, requests: 100, outstanding: " +
        std::to_string(window) + ", message_length: " + std::to_string(request) +
        ", reply_length: " + std::to_string(reply) + ", service_time: " + std::to_string(service) +
        ", think_time: " + std::to_string(think) + "}\n";
    EXPECT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_;
    return stats("o");
  }
};

// RTT − 1 − z + ⌊(K − 1)/W⌋ · max(RTT, W · b) + ((K − 1) mod W) · b, exactly.
TEST_F(ClosedLoopRuns, OfOnePairEndWhenTheClosedFormSays) {
  struct Case {
    unsigned request, reply, service, think;
  };
  for (const Case& c : {Case{3, 11, 0, 0}, Case{3, 3, 0, 0}, Case{5, 2, 20, 0}, Case{3, 11, 7, 30}})
    for (const unsigned window : {1u, 2u, 3u, 5u, 7u, 8u, 9u, 12u}) {
      const unsigned b = std::max(c.request, c.reply), last = 99;
      const unsigned trip = 2 * (5 * 6 + 6) + c.request + c.reply + 2 + c.service + c.think;
      if (c.think > 0 && window * b > trip)
        continue;  // the form holds up to the window that covers the round trip
      const unsigned expected =
          trip - 1 - c.think + last / window * std::max(trip, window * b) + last % window * b;
      const auto results = pair(window, c.request, c.reply, c.service, c.think);
      EXPECT_EQ(results["simulation"]["last_delivery"], expected)
          << "W " << window << ", " << c.request << "/" << c.reply << ", s " << c.service << ", z "
          << c.think;
      EXPECT_EQ(results["messages"]["delivered"], 200);
      EXPECT_EQ(results["round_trips"]["count"], 100);
    }
}

// A round trip may last longer than 2^32 cycles.
TEST_F(ClosedLoopRuns, OfLongServiceAreNotCutShort) {
  folder_.write("pair.txt", "0 6\n");
  ASSERT_EQ(run("network: {size: [7]}\nrouter: {preset: iq}\ntraffic: {mode: batch, pattern: permutation, "
                "permutation_file: pair.txt, requests: 1, message_length: 3, reply_length: 3, service_time: "
                "5000000000}\n",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_EQ(stats("o")["round_trips"]["max"], 5000000000 + 2 * (5 * 6 + 6 + 3) + 1);
}

// Little's law: W = X · (request + reply + s + z + 2), with what ends in the window for what begins in it.
TEST_F(ClosedLoopRuns, ObeyLittlesLaw) {
  for (const unsigned window : {1u, 4u, 16u}) {
    const std::string text =
        "network: {size: [4, 4]}\nrouter: {preset: iq, virtual_channels: 4}\ntraffic: {mode: closed-loop, "
        "outstanding: " +
        std::to_string(window) +
        ", message_length: 3, reply_length: 7, service_time: 10, think_time: 5}\n"
        "statistics: {flows: true}\nsimulation: {warmup: 3000, measure: 20000}\n";
    ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_;
    const auto results = stats("o");
    const auto& trips = results["round_trips"];
    EXPECT_EQ(trips["requesters"], 16);
    const double time = trips["request_mean"].get<double>() + trips["reply_mean"].get<double>() + 10 + 5 + 2;
    EXPECT_NEAR(trips["throughput"].get<double>() * time, window, .005 * window);
    EXPECT_NEAR(trips["mean"].get<double>(), time - 5 - 1, 1e-9);
    ASSERT_EQ(results["flows"].size(), 2u);
    EXPECT_EQ(results["flows"][1]["class"], "reply");
    EXPECT_EQ(results["messages"]["in_flight"], 0);
  }
}

// Figures of an independent simulator: the cycle of the last arrival, mean of two seeds, 500 requests per
// node.
TEST_F(ClosedLoopRuns, OfABatchAgreeWithAnotherSimulator) {
  struct Case {
    std::string network;
    unsigned flits, outstanding;
    double cycles;
  };
  const std::string mesh4 = "{topology: mesh, size: [4, 4]}", mesh8 = "{topology: mesh, size: [8, 8]}",
                    torus8 = "{topology: torus, size: [8, 8]}\nlink: {latency: 2}";
  for (const Case& c :
       {Case{mesh4, 1, 2, 5863}, Case{mesh4, 1, 8, 1552}, Case{mesh4, 5, 1, 14222}, Case{mesh4, 5, 4, 4710},
        Case{mesh4, 5, 16, 3662}, Case{mesh8, 1, 1, 22174}, Case{mesh8, 1, 4, 5580}, Case{mesh8, 1, 16, 1688},
        Case{mesh8, 5, 2, 12981}, Case{mesh8, 5, 8, 6747}, Case{torus8, 1, 2, 8290}, Case{torus8, 1, 8, 2188},
        Case{torus8, 5, 1, 19109}, Case{torus8, 5, 4, 6018}, Case{torus8, 5, 16, 5412}}) {
    double sum = 0;
    for (const char* const seed : {"1", "2"}) {
      const std::string text = "network: " + c.network +
                               "\nrouter: {preset: iq, virtual_channels: 4, input_buffer: 8}\n"
                               "traffic: {mode: batch, include_self: true, requests: 500, reply_length: 0, "
                               "message_length: " +
                               std::to_string(c.flits) + ", outstanding: " + std::to_string(c.outstanding) +
                               "}\nsimulation: {seed: " + seed + "}\n";
      ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_;
      sum += stats("o")["simulation"]["last_delivery"].get<double>() / 2;
    }
    const double band = c.outstanding <= 4 ? .05 : .10;
    EXPECT_NEAR(sum, c.cycles, band * c.cycles)
        << c.network << ", " << c.flits << " flits, W " << c.outstanding;
    RecordProperty(c.network + " " + std::to_string(c.flits) + " " + std::to_string(c.outstanding),
                   std::to_string(sum));
  }
}

TEST_F(ClosedLoopRuns, GoOnWhenANodeDies) {
  ASSERT_EQ(
      run("network: {size: [4, 4]}\ntraffic: {mode: batch, outstanding: 2, requests: 50}\nfaults: {events: "
          "[{cycle: 300, node: 5, duration: permanent}]}\nrecovery: {protocol: sbrp-1}\n",
          {"--out", folder_ / "o"}),
      0)
      << err_;
  const auto results = stats("o");
  EXPECT_EQ(results["messages"]["in_flight"], 0);
  EXPECT_EQ(results["contract"]["holds"], true);
  EXPECT_GT(results["messages"]["undeliverable"], 0);
}

TEST_F(ClosedLoopRuns, AreRefusedWithPlaceAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"{mode: closed-loop, load: .3}", "traffic.load: 0.3 has no effect with traffic.mode closed-loop"},
      {"{mode: closed-loop, injection: poisson}", "poisson has no effect with traffic.mode"},
      {"{mode: closed-loop, requests: 5}", "5 has no effect with traffic.mode closed-loop"},
      {"{mode: batch, outstanding: 0}", "0 is out of range (1 to 65535"},
      {"{mode: loop}", "unknown traffic mode 'loop'"},
      {"{mode: batch}\nsimulation: {measure: 77}", "77 has no effect with traffic.mode batch"},
      {"{mode: batch, flows: [{from: 0, to: 1, rate: .1}]}", "batch has no effect with flows"},
  };
  for (const auto& [traffic, error] : cases) {
    EXPECT_EQ(run("network: {size: [4, 4]}\ntraffic: " + std::string(traffic) + "\n"),
              to_int(ExitStatus::bad_usage))
        << traffic;
    EXPECT_NE(err_.find(error), err_.npos) << traffic << '\n' << err_;
  }
}

}  // namespace
}  // namespace flitmend
