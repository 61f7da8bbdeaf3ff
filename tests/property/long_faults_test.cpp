// SPDX-License-Identifier: Apache-2.0
// Transient faults of any length, nodes that live: every message is delivered, once, whatever the protocol
// that sends again. FLITMEND_LONG_FAULT_RUNS says how many runs per protocol (8).
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "protocols/recovery/registry.h"
#include "support/program.h"
#include "support/random_runs.h"

namespace flitmend {
namespace {

using Document = nlohmann::json;

std::uint64_t runs_per_protocol() {
  return test::number_from("FLITMEND_LONG_FAULT_RUNS", 8);
}

class RandomRun : test::RandomValues {
 public:
  using RandomValues::RandomValues;

  Document configuration(std::string_view protocol) {
    struct Family {
      Document network;
      const char* algorithm;
      std::uint32_t nodes;
    };
    const Document grid = {{"topology", "mesh"}, {"size", {3, 3}}};
    const Family families[] = {
        {{{"topology", "mesh"}, {"size", {4}}}, "dimension-order", 4},
        {{{"topology", "mesh"}, {"size", {5, 2}}}, "negative-first", 10},
        {grid, "dimension-order", 9},
        {grid, "duato", 9},
        {grid, "west-first", 9},
        {grid, "up-down", 9},
        {{{"topology", "torus"}, {"size", {4, 4}}}, "dimension-order", 16},
        {{{"topology", "hypercube"}, {"dimensions", 3}}, "duato", 8},
        {{{"topology", "kns"}, {"k", 4}, {"n", 1}}, "hybrid-dor", 4},
    };
    const Family& family = families[below(std::size(families))];
    Document events = Document::array();
    const std::uint32_t first = below(family.nodes);
    for (std::uint32_t i = 0; i < 1 + below(2); ++i)
      events.push_back(
          {{"cycle", 1 + below(400)}, {"node", (first + i) % family.nodes}, {"duration", duration()}});
    return {{"network", family.network},
            {"router",
             {{"preset", of({"iq", "sbrp"})},
              {"virtual_channels", of({2, 2, 4})},
              {"vc_reallocation", "atomic"}}},
            {"routing", {{"algorithm", family.algorithm}}},
            {"recovery", {{"protocol", std::string(protocol)}}},
            {"faults", {{"events", events}}},
            {"traffic", {{"load", of({.02, .05, .2})}, {"message_length", of({1, 2, 4, 8, 12, 30})}}},
            {"simulation", {{"seed", below(1000)}, {"warmup", 0}, {"measure", 400}}}};
  }

 private:
  /// 1 to 100,000 cycles, each order of magnitude equally often.
  std::int64_t duration() { return std::llround(std::pow(10., 5e-6 * below(1'000'001))); }
};

TEST(LongFaults, EveryMessageIsDelivered) {
  const ScratchFolder folder;
  unsigned seed = 0;
  for (const RecoveryEntry& protocol : recovery_protocols().entries()) {
    if (!protocol.traits.resends()) continue;
    for (unsigned ran = 0, refused = 0; ran < runs_per_protocol();) {
      const Document configuration = RandomRun(++seed).configuration(protocol.name);
      const std::string file = folder.write("c.yaml", configuration.dump());
      ProgramProcess program({"run", file, "--quiet", "--out", folder / "out"});
      const int end = program.wait();
      if (end == 2) {
        ASSERT_LT(++refused, 4 * runs_per_protocol() + 20) << "nearly all are refused: " << program.err();
        continue;
      }
      ++ran;
      ASSERT_EQ(end, 0) << configuration << "\n" << program.out() << program.err();
      const Document messages = Document::parse(folder.read("out/stats.json")).at("messages");
      EXPECT_EQ(messages.at("delivered"), messages.at("generated")) << configuration;
      EXPECT_EQ(messages.at("undeliverable"), 0) << configuration;
    }
  }
}

}  // namespace
}  // namespace flitmend
