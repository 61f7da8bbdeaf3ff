// SPDX-License-Identifier: Apache-2.0
// Random collectives under random transient faults, with each recovery protocol: every sum is right, and no
// run hangs. Without a protocol or with a dead member, what is missing has a name.
#include "protocols/recovery/registry.h"
#include "support/program_fixture.h"
#include "support/random_runs.h"
#include "testbench/collectives/collective.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

using test::RandomValues;

// FLITMEND_COLLECTIVES=10000 for more of them, by protocol.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kCollectives = 100;
#else
constexpr std::uint64_t kCollectives = 1000;
#endif
constexpr std::uint32_t kPerRun = 25;

struct Network {
  const char* text;
  std::uint32_t nodes;
};

/// A random group of at least one node, in a random order.
std::string random_group(RandomValues& random, std::uint32_t nodes) {
  std::vector<std::uint32_t> order(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) order[i] = i;
  for (std::uint32_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  order.resize(1 + random.below(nodes));
  std::string text;
  for (const std::uint32_t node : order) text += (text.empty() ? "[" : ", ") + std::to_string(node);
  return text + "]";
}

/// One with random members and sizes; a root in every second broadcast.
std::string random_collective(RandomValues& random, std::uint32_t nodes) {
  const auto& entries = collectives().entries();
  const CollectiveEntry& kind = entries[random.below(static_cast<std::uint32_t>(entries.size()))];
  const std::string group = random_group(random, nodes);
  std::string text = "{collective: " + std::string(kind.operation->name) +
                     ", algorithm: " + std::string(kind.algorithm) + ", group: " + group +
                     ", bytes: " + std::to_string(random.below(random.of<std::uint32_t>({9, 100, 1500}))) +
                     ", combine_time: " + std::to_string(random.of({0, 0, 7, 60}));
  if (kind.operation->has_root && random.below(2))
    text += ", root: " + group.substr(1, group.find_first_of(",]") - 1);
  if (random.below(4) == 0) text += ", start: " + std::to_string(random.below(3000));
  return text + "}";
}

std::string random_configuration(RandomValues& random, const std::string& protocol) {
  const Network network = random.of<Network>({{"{size: [4, 4]}", 16},
                                              {"{size: [5, 3]}", 15},
                                              {"{topology: torus, size: [4, 4]}", 16},
                                              {"{topology: torus, size: [3, 5]}", 15},
                                              {"{topology: hypercube, dimensions: 3}", 8}});
  const char* const duration = random.of({"1", "10", "60"});
  std::string text =
      "network: " + std::string(network.text) + "\nrouter: {preset: " + random.of({"iq", "sbrp"}) +
      ", virtual_channels: " + random.of({"3", "5"}) + ", input_buffer: " + random.of({"1", "4"}) +
      "}\nlink: {latency: " + random.of({"1", "4"}) +
      "}\nrouting: {head_wait_cycles: " + random.of({"0", "20", "100"}) +
      "}\nrecovery: {protocol: " + protocol + "}\nfaults: {duration: " + duration +
      ", node_rate: " + random.of({"0", "2e-5"}) + ", link_rate: " + random.of({"2e-5", "2e-4"}) +
      "}\nsimulation: {seed: " + std::to_string(1 + random.below(1 << 30)) +
      ", max_cycles: 3000000}\ntraffic:\n  collectives:\n";
  for (std::uint32_t i = 0; i < kPerRun; ++i)
    text += "    - " + random_collective(random, network.nodes) + "\n";
  return text;
}

class CollectivesUnderFaults : public ProgramFixture, public testing::WithParamInterface<std::string> {
 protected:
  void one_run(std::uint64_t seed) {
    RandomValues random(seed);
    const std::string text = random_configuration(random, GetParam());
    ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_ << '\n' << text;
    const auto results = stats("o");
    const auto& all = results["collectives"];
    EXPECT_EQ(all["wrong"], 0) << text;
    EXPECT_EQ(results["contract"]["holds"], true) << text;
    EXPECT_EQ(all["completed"], kPerRun) << all.dump(1) << results["messages"] << '\n' << text;
    hit_ += results["messages"]["hit"].get<std::uint64_t>();
    resent_ += results["messages"]["recovered"].get<std::uint64_t>();
  }
  std::uint64_t hit_ = 0, resent_ = 0;
};

TEST_P(CollectivesUnderFaults, EndWithTheRightSums) {
  const std::uint64_t runs = test::number_from("FLITMEND_COLLECTIVES", kCollectives) / kPerRun;
  for (std::uint64_t i = 0; i < runs; ++i) one_run(37'000 + i);
  EXPECT_GT(hit_, runs);
  EXPECT_GT(resent_, runs);
}

std::vector<std::string> protocols() {
  std::vector<std::string> names;
  for (const RecoveryEntry& entry : recovery_protocols().entries())
    if (entry.traits.resends()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Protocols, CollectivesUnderFaults, testing::ValuesIn(protocols()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

class IncompleteCollectives : public ProgramFixture {};

TEST_F(IncompleteCollectives, WithoutAProtocolHaveNames) {
  ASSERT_EQ(run("network: {size: [4, 4]}\ntraffic: {collectives: [{collective: all-reduce, bytes: 4096}, "
                "{collective: broadcast, bytes: 8, name: next}]}\nfaults: {events: [{cycle: 500, node: 5, "
                "duration: 30}]}\n",
                {"--out", folder_ / "o"}),
            to_int(ExitStatus::unfinished))
      << err_;
  EXPECT_EQ(stats("o")["status"]["outcome"], "incomplete");
  EXPECT_NE(err_.find("2 of 2 repetitions of collectives are not complete; 0, repetition 0: router_"),
            err_.npos)
      << err_;
  EXPECT_NE(out_.find("status       incomplete: 2 of 2 repetitions"), out_.npos) << out_;
  const auto all = stats("o")["collectives"];
  EXPECT_EQ(all["repetitions"], 2);
  EXPECT_EQ(all["completed"], 0);
  EXPECT_EQ(all["wrong"], 0);
  EXPECT_GT(all["list"][0]["lost"], 0);
  EXPECT_NE(all["list"][0]["missing"].get<std::string>().find(" waits for a message of router_"),
            std::string::npos);
  EXPECT_EQ(all["list"][1]["missing"], "repetition 0: 16 members wait");
  EXPECT_NE(out_.find(" incomplete\n"), out_.npos) << out_;
}

TEST_F(IncompleteCollectives, WithADeadMemberHaveNames) {
  for (const char* const dead : {"static_nodes: [5]", "events: [{cycle: 100, node: 5, duration: permanent}]"})
    for (const CollectiveEntry& kind : collectives().entries()) {
      const std::string text =
          "network: {size: [4, 4]}\nrecovery: {protocol: end-to-end, retry_limit: 3}\nrouting: {algorithm: "
          "up-down}\nfaults: {" +
          std::string(dead) + "}\ntraffic: {collectives: [{collective: " + std::string(kind.operation->name) +
          ", algorithm: " + std::string(kind.algorithm) +
          ", bytes: 3000}, {collective: all-gather, group: [0, 1, "
          "2, 3], bytes: 8}]}\nsimulation: {max_cycles: 1000000}\n";
      ASSERT_EQ(run(text, {"--out", folder_ / "o", "--strict"}), to_int(ExitStatus::unfinished))
          << err_ << text;
      const auto all = stats("o")["collectives"];
      EXPECT_EQ(all["wrong"], 0) << text;
      EXPECT_EQ(all["list"][0]["completed"], 0) << text;
      EXPECT_NE(all["list"][0]["missing"].get<std::string>().find("router_1_1 is dead"), std::string::npos)
          << all["list"][0] << text;
    }
}

// A root waits for nobody, so it is done with what it never sent.
TEST_F(IncompleteCollectives, NameARootThatIsDeadFromTheStart) {
  ASSERT_EQ(run("network: {size: [4, 4]}\nrouting: {algorithm: up-down}\nfaults: {static_nodes: [5]}\n"
                "traffic: {collectives: [{collective: broadcast, root: 5, bytes: 64, repetitions: 2}]}\n",
                {"--out", folder_ / "o"}),
            to_int(ExitStatus::unfinished))
      << err_;
  EXPECT_EQ(stats("o")["collectives"]["list"][0]["missing"],
            "repetition 0: router_1_1 is dead; 15 more members wait");
}

}  // namespace
}  // namespace flitmend
