// SPDX-License-Identifier: Apache-2.0
// Algorithms whose routes change with the set of faults, in networks that drain before they do: random
// faults, one after the other and at once, under every protocol and switching technique. No run deadlocks,
// each ends, and messages between living nodes that stay connected arrive, once.
// FLITMEND_RECONFIGURATION_RUNS says how many runs per protocol (10).
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "contracts/entry.h"
#include "protocols/recovery/registry.h"
#include "support/program.h"
#include "support/random_runs.h"

namespace flitmend {
namespace {

using Document = nlohmann::json;

std::uint64_t runs_of_each() {
  return test::number_from("FLITMEND_RECONFIGURATION_RUNS", 10);
}

class ChangingNetwork : test::RandomValues {
 public:
  using RandomValues::RandomValues;

  Document configuration(std::string_view protocol) {
    struct Family {
      Document network;
      std::vector<const char*> algorithms;
      std::uint32_t nodes;
    };
    const Family families[] = {
        {{{"topology", "mesh"}, {"size", {3, 3}}}, {"up-down", "su-shin", "reliable-router"}, 9},
        {{{"topology", "mesh"}, {"size", {4, 4}}}, {"up-down", "su-shin", "reliable-router"}, 16},
        {{{"topology", "hypercube"}, {"dimensions", 3}}, {"up-down", "su-shin", "reliable-router"}, 8},
        {{{"topology", "torus"}, {"size", {4, 4}}}, {"up-down", "probability-vectors"}, 16},
        {{{"topology", "torus"}, {"size", {5}}}, {"up-down"}, 5},
        {{{"topology", "kns"}, {"k", 3}, {"n", 2}}, {"up-down"}, 9},
    };
    const Family& family = families[below(std::size(families))];
    const unsigned length = of({1u, 2u, 4u, 12u});
    const std::string switching = of({"wormhole", "wormhole", "virtual-cut-through", "store-and-forward"});
    Document c = {
        {"network", family.network},
        {"router",
         {{"preset", of({"iq", "sbrp"})},
          {"virtual_channels", 5},
          {"vc_reallocation", "atomic"},
          {"switching", switching},
          {"input_buffer", switching == "wormhole" ? of({1u, 2u, 4u}) : length + 2}}},
        {"routing",
         {{"algorithm", family.algorithms[below(static_cast<std::uint32_t>(family.algorithms.size()))]},
          {"head_wait_cycles", of({20, 200})}}},
        {"recovery", {{"protocol", std::string(protocol)}}},
        {"traffic", {{"load", of({.05, .2, .5})}, {"message_length", length}}},
        {"simulation", {{"seed", below(1000)}, {"warmup", 0}, {"measure", 800}}}};
    Document& faults = c["faults"] = {{"duration", of({1, 10, 60, 400})}};
    faults[of({"node_rate", "link_rate"})] = of({3e-4, 3e-3});
    if (below(3) == 0)
      faults["events"] = {
          {{"cycle", 1 + below(700)}, {"node", below(family.nodes)}, {"duration", "permanent"}}};
    return c;
  }
};

class Reconfiguration : public testing::TestWithParam<RecoveryEntry> {
 protected:
  /// Status of the run.
  int run(const Document& configuration) {
    ProgramProcess program(
        {"run", folder_.write("c.yaml", configuration.dump()), "--quiet", "--out", folder_ / "out"});
    const int end = program.wait();
    said_ = program.err();
    return end;
  }
  Document stats() const {
    Document stats = Document::parse(folder_.read("out/stats.json"));
    stats.erase("host");
    return stats;
  }

  ScratchFolder folder_;
  std::string said_;
};

TEST_P(Reconfiguration, EveryMessageEndsOnce) {
  unsigned seed = 0;
  std::uint64_t steps = 0;
  for (unsigned ran = 0; ran < runs_of_each();) {
    const Document configuration = ChangingNetwork(++seed).configuration(GetParam().name);
    const int end = run(configuration);
    ASSERT_LT(seed, 10 * runs_of_each() + 50) << "nearly all are refused: " << said_;
    if (end == 2) continue;
    ++ran;
    ASSERT_EQ(end, 0) << configuration << "\n" << said_;
    const Document first = stats();
    const Document& messages = first.at("messages");
    steps += first.at("management").at("steps").get<std::uint64_t>();
    EXPECT_EQ(messages.at("duplicated"), 0) << configuration;
    if (GetParam().traits.resends() && !configuration.at("faults").contains("events")) {
      EXPECT_EQ(messages.at("delivered"), messages.at("generated")) << configuration;
    }
    if (ran > 2) continue;
    ASSERT_EQ(run(configuration), 0);
    EXPECT_EQ(stats(), first) << "not deterministic: " << configuration;
  }
  EXPECT_GT(steps, runs_of_each());
}

INSTANTIATE_TEST_SUITE_P(Protocols, Reconfiguration, testing::ValuesIn(recovery_protocols().entries()),
                         test_name<RecoveryEntry>);

}  // namespace
}  // namespace flitmend
