// SPDX-License-Identifier: Apache-2.0
// traffic.messages, as a user writes it.
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

class ListedMessages : public ProgramFixture {
 protected:
  static std::string line(const std::string& messages, const std::string& more = "") {
    return "network: {size: [4]}\nrouter: {preset: iq}\ntraffic: {messages: " + messages + more + "}\n";
  }
};

TEST_F(ListedMessages, LeaveInTheirCycles) {
  const std::string text = line(
                               "[{cycle: 40, from: 3, to: 0, length: 2}, {cycle: 0, from: 0, to: 3, length: "
                               "7}, {cycle: 3, from: 1, to: [2]}]",
                               ", message_length: 4") +
                           "statistics: {events: true}\nrecovery: {protocol: end-to-end}\n";
  ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << out_ << err_;
  const auto results = stats("o");
  EXPECT_EQ(results.at("messages").at("generated"), 3u);
  EXPECT_EQ(results.at("messages").at("delivered"), 3u);
  EXPECT_EQ(results.at("flits").at("consumed").get<unsigned>(), 7u + 4 + 2 + 3 * 3)
      << "and an acknowledgement of 3 flits each";
  // Measured to the last delivery, which is after cycle 40.
  EXPECT_GT(results.at("simulation").at("measured_cycles").get<unsigned>(), 40u);
  EXPECT_LT(results.at("simulation").at("measured_cycles").get<unsigned>(), 100u);
  // The effective configuration repeats the run.
  ASSERT_EQ(start({"run", folder_ / "o/config.yaml", "--quiet", "--out", folder_ / "again"}), 0)
      << out_ << err_;
  auto again = stats("again"), first = results;
  again.erase("host");
  first.erase("host");
  EXPECT_EQ(again, first);
}

TEST_F(ListedMessages, OfADeadNodeAreNotSent) {
  ASSERT_EQ(
      run(line("[{cycle: 0, from: 0, to: 3}, {cycle: 50, from: 0, to: 3}]") +
              "faults: {events: [{cycle: 45, node: 0, duration: permanent}]}\nrecovery: {protocol: sbrp-1}\n",
          {"--out", folder_ / "o"}),
      0)
      << out_ << err_;
  EXPECT_EQ(stats("o").at("messages").at("generated"), 1u);
}

TEST_F(ListedMessages, AreRefusedWithPlaceAndRemedy) {
  struct Case {
    std::string messages, more, error;
  };
  for (const Case& c : {
           Case{"[{cycle: 0, from: 0, to: 9}]", "",
                "c.yaml:3:21: traffic.messages: message 0: to: there is no node 9"},
           Case{"[{cycle: 0, from: 1, to: 1}]", "", "node 1 does not send to itself"},
           Case{"[{cycle: 0, from: 1}]", "", "no to; expected a message like"},
           Case{"[{from: 1, to: 2}]", "", "no cycle"},
           Case{"[{cycle: -1, from: 1, to: 2}]", "", "cycle: -1 is out of range"},
           Case{"[{cycle: 0, from: 1, to: 2, length: 0}]", "", "length: 0 is out of range (1 to 65535"},
           Case{"[{cycle: 0, from: 1, to: 2, lenght: 3}]", "", "did you mean 'length'?"},
           Case{"[{cycle: 0, from: 1, to: 2, length: 1e9}]", "", "length"},
           Case{"{cycle: 0, from: 1, to: 2}", "", "expected a list like"},
           Case{"[{cycle: 0, from: 1, to: 2}]", ", pattern: tornado",
                "tornado has no effect with traffic.messages"},
           Case{"[{cycle: 0, from: 1, to: 2}]", ", load: 0.3", "has no effect with traffic.messages"},
       }) {
    EXPECT_EQ(run(line(c.messages, c.more)), static_cast<int>(ExitStatus::bad_usage)) << c.messages;
    EXPECT_NE(err_.find(c.error), err_.npos) << c.messages << c.more << '\n' << err_;
  }
  EXPECT_EQ(run(line("[{cycle: 0, from: 1, to: 2}]") + "simulation: {measure: 500}\n"),
            static_cast<int>(ExitStatus::bad_usage));
  EXPECT_NE(err_.find("has no effect with traffic.messages"), err_.npos) << err_;
  EXPECT_EQ(
      run(line("[{cycle: 0, from: 1, to: 2, length: 9}]") + "router: {switching: store-and-forward}\n", {}),
      static_cast<int>(ExitStatus::bad_usage));
}

}  // namespace
}  // namespace flitmend
