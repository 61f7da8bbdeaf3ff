// SPDX-License-Identifier: Apache-2.0
// The preset kary-ncube against a small wormhole simulator of its own kind (support/wormhole_torus.h): mean
// latency at low and at medium load, in two and three dimensions, within 3 %.
#include "support/wormhole_torus.h"

#include <gtest/gtest.h>

#include <boost/format.hpp>
#include <nlohmann/json.hpp>

#include "support/program.h"

namespace flitmend {
namespace {

constexpr unsigned kSeeds = 2;
constexpr std::uint64_t kWarmup = 3000;

double latency_in_the_fabric(const test::WormholeTorus& torus, unsigned seed) {
  const ScratchFolder folder;
  const std::string size = torus.dimensions == 2 ? "[8, 8]" : "[8, 8, 8]";
  const std::string file = folder.write(
      "c.yaml", (boost::format("network: {topology: torus, size: %1%}\n"
                               "router: {preset: kary-ncube, input_buffer: %2%, virtual_channels: %3%}\n"
                               "routing: {algorithm: software-based, dateline: halves}\n"
                               "traffic: {injection: poisson, message_length: %4%, load: %5%}\n"
                               "simulation: {warmup: %6%, measure: %7%, seed: %8%}\n") %
                 size % torus.buffer % torus.virtual_channels % torus.message_length %
                 (torus.rate * torus.message_length) % torus.warmup % torus.measure % seed)
                    .str());
  ProgramProcess program({"run", file, "--quiet", "--out", folder / "out"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  return nlohmann::json::parse(folder.read("out/stats.json"))["latency"]["total"]["mean"];
}

class WormholeTorus : public testing::TestWithParam<test::WormholeTorus> {};

TEST_P(WormholeTorus, TheFabricHasTheSameLatency) {
  double simulated = 0, fabric = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    // The simulator consumes a flit in the cycle of its arrival; the preset's ejection takes a cycle.
    simulated += (test::mean_latency(GetParam(), seed) + 1) / kSeeds;
    fabric += latency_in_the_fabric(GetParam(), seed) / kSeeds;
  }
  EXPECT_NEAR(fabric / simulated, 1, .03) << "fabric " << fabric << ", simulator " << simulated;
  RecordProperty("fabric", std::to_string(fabric));
  RecordProperty("simulator", std::to_string(simulated));
}

test::WormholeTorus torus(unsigned dimensions, unsigned vcs, unsigned length, double rate,
                          std::uint64_t measure) {
  return {.dimensions = dimensions,
          .virtual_channels = vcs,
          .message_length = length,
          .rate = rate,
          .warmup = kWarmup,
          .measure = measure};
}

INSTANTIATE_TEST_SUITE_P(Loads, WormholeTorus,
                         testing::Values(torus(2, 4, 32, .001, 40000), torus(2, 4, 32, .008, 40000),
                                         torus(2, 10, 32, .010, 40000), torus(2, 4, 64, .004, 40000),
                                         torus(3, 4, 64, .004, 6000), torus(3, 10, 32, .008, 6000)),
                         [](const auto& load) {
                           return "n" + std::to_string(load.param.dimensions) + "_v" +
                                  std::to_string(load.param.virtual_channels) + "_m" +
                                  std::to_string(load.param.message_length) + "_at_" +
                                  std::to_string(static_cast<int>(load.param.rate * 1000));
                         });

}  // namespace
}  // namespace flitmend
