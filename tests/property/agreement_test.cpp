// SPDX-License-Identifier: Apache-2.0
// The deadlock check, the watchdog and the run agree: random small networks that the check lets pass come to
// the end of their run, without a deadlock and with their contract kept, whatever the protocol, the switching
// technique and the buffers; with and without transient faults. Of networks that it does not let pass, the
// watchdog stops just those that would never end: a run without it, ten times as long, tells.
// FLITMEND_AGREEMENT_RUNS says how many runs (60 of each kind).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/random_runs.h"

namespace flitmend {
namespace {

using Document = nlohmann::json;

std::uint64_t runs() {
  return test::number_from("FLITMEND_AGREEMENT_RUNS", 60);
}

class RandomNetwork : test::RandomValues {
 public:
  using RandomValues::RandomValues;

  /// `proved`: with algorithms and virtual channels that a proof may cover.
  Document configuration(bool faults, bool proved) {
    struct Family {
      Document network;
      std::vector<const char*> algorithms;
    };
    const std::vector<const char*> plane = {
        "dimension-order",   "duato",           "duato",           "west-first", "negative-first",
        "north-last",        "opt-y",           "planar-adaptive", "double-y",   "dally-aoki-dynamic",
        "dally-aoki-static", "reliable-router", "su-shin",         "up-down",    "fault-ring-e-cube"};
    const std::vector<const char*> grid = {"dimension-order", "duato", "up-down", "su-shin", "linder-harden"};
    const std::vector<const char*> ring = {"dimension-order", "duato", "up-down", "dally-aoki-dynamic"};
    const std::vector<const char*> cube = {"dimension-order", "duato",           "p-cube",
                                           "su-shin",         "reliable-router", "dally-aoki-static"};
    const Family families[] = {
        {{{"topology", "mesh"}, {"size", {4}}}, grid},
        {{{"topology", "mesh"}, {"size", {3, 3}}}, plane},
        {{{"topology", "mesh"}, {"size", {2, 4}}}, plane},
        {{{"topology", "mesh"}, {"size", {4, 4}}}, plane},
        {{{"topology", "mesh"}, {"size", {2, 2, 3}}}, grid},
        {{{"topology", "torus"}, {"size", {4, 3}}}, ring},
        {{{"topology", "torus"}, {"size", {4, 4}}}, ring},
        {{{"topology", "hypercube"}, {"dimensions", 3}}, cube},
        {{{"topology", "kns"}, {"k", 3}, {"n", 2}}, {"hybrid-dor", "up-down"}},
    };
    const Family& family = families[below(std::size(families))];
    const char* const algorithm =
        !proved && below(2) == 0 && family.network["topology"] != "kns"
            ? "tfar"
            : family.algorithms[below(static_cast<std::uint32_t>(family.algorithms.size()))];
    const unsigned length = of({1u, 2u, 3u, 4u, 7u, 12u});
    const std::string switching = of({"wormhole", "wormhole", "virtual-cut-through", "store-and-forward"});
    unsigned buffer = of({1u, 2u, 3u, 4u, 8u});
    if (switching != "wormhole") buffer = std::max(buffer, length);
    Document c = {
        {"network", family.network},
        {"router",
         {{"virtual_channels", proved ? of({2u, 3u, 4u, 5u, 6u}) : of({1u, 1u, 2u, 3u, 5u})},
          {"input_buffer", buffer},
          {"output_buffer", of({0u, 0u, 1u, 2u, 4u})},
          {"switching", switching},
          {"vc_reallocation", of({"on-tail", "on-tail", "atomic"})}}},
        {"routing", {{"algorithm", algorithm}}},
        {"recovery",
         {{"protocol", of({"none", "end-to-end", "sbrp-0", "sbrp-1", "sbrp-2", "utp", "fcr", "apcs"})}}},
        {"traffic", {{"load", of({0.1, 0.3, 0.6, 0.9})}, {"message_length", length}}},
        {"simulation",
         {{"seed", below(1000)}, {"warmup", 0}, {"measure", of({300, 1500})}, {"max_cycles", 200000}}}};
    if (below(5) == 0) c["link"] = {{"latency", of({2, 3, 10})}};
    if (below(3) == 0)
      c["router"]["pipeline"] = {{"routing", of({0, 1, 3})}, {"vc_allocation", of({0, 1, 2, 4})}};
    if (faults)
      c["faults"] = {{of({"node_rate", "link_rate"}), of({1e-4, 1e-3})},
                     {"duration", of({1, 5, 10, 60, 300})}};
    return c;
  }
};

class Agreement : public testing::TestWithParam<bool> {};

TEST_P(Agreement, ARunThatTheCheckLetsPassEnds) {
  const ScratchFolder folder;
  unsigned ran = 0;
  for (unsigned i = 0; ran < runs(); ++i) {
    ASSERT_LT(i, 20 * runs() + 100) << "nearly all are refused";
    const Document configuration = RandomNetwork(1'000'003u * GetParam() + i).configuration(GetParam(), true);
    const std::string file = folder.write("c.yaml", configuration.dump());
    ProgramProcess program({"run", file, "--quiet", "--no-cache"});
    const int end = program.wait();
    if (end == 2) continue;  // refused: needs something else, or is not proved
    ++ran;
    EXPECT_EQ(end, 0) << configuration << "\n" << program.out() << program.err();
  }
}

TEST_P(Agreement, TheWatchdogStopsJustTheRunsThatWouldNeverEnd) {
  constexpr int kDone = 0, kDeadlock = 4, kLimit = 5;
  const ScratchFolder folder;
  unsigned ran = 0, deadlocks = 0;
  for (unsigned i = 0; ran < runs(); ++i) {
    ASSERT_LT(i, 20 * runs() + 100) << "nearly all are refused";
    Document configuration =
        RandomNetwork(7'000'003u + 1'000'003u * GetParam() + i).configuration(GetParam(), false);
    const auto run = [&] {
      const std::string file = folder.write("c.yaml", configuration.dump());
      ProgramProcess program({"run", file, "--quiet", "--allow-deadlock", "--out", folder / "o"});
      return program.wait();
    };
    const int end = run();
    if (end == 2) continue;  // refused: needs something else
    ++ran;
    if (end == kDone) continue;
    ASSERT_TRUE(end == kDeadlock || end == kLimit) << end << " " << configuration;
    deadlocks += end == kDeadlock;
    const std::uint64_t ended = Document::parse(read_file(folder / "o/stats.json"))["simulation"]["cycles"];
    configuration["deadlock"] = {{"watchdog", "off"}};
    configuration["simulation"]["max_cycles"] = 10 * ended + 20000;
    EXPECT_EQ(run(), end == kDeadlock ? kLimit : kDone)
        << (end == kDeadlock ? "a false alarm in cycle " : "no alarm until cycle ") << ended << ": "
        << configuration;
  }
  EXPECT_GT(deadlocks, 0u);
}

INSTANTIATE_TEST_SUITE_P(Faults, Agreement, testing::Bool(),
                         [](const auto& faults) { return faults.param ? "transient" : "none"; });

}  // namespace
}  // namespace flitmend
