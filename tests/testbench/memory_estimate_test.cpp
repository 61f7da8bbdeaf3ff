// SPDX-License-Identifier: Apache-2.0
// The memory that a run is said to take, against what building it takes.
#include "testbench/checks/memory_estimate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/errors.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "support/message_of.h"
#include "testbench/configuration/loader.h"
#include "testbench/simulation.h"
#include "topologies/registry.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kOwnAllocator = false;  // AddressSanitizer's takes more
#else
constexpr bool kOwnAllocator = true;
#endif

MemoryEstimate estimate_of(const Configuration& c) {
  const auto topology = make_topology(c.network);
  const auto routing = make_routing(*topology, c.hardware.router.virtual_channels, c.routing);
  return estimate_memory(c, *routing, *make_selection(*topology, c.routing));
}

std::uint64_t resident_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm").ignore(64, ' ') >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Runs the configuration and compares. Once per process.
void expect_estimate(const std::string& configuration, double most = 1.3) {
  if (!kOwnAllocator) GTEST_SKIP() << "only with the usual allocator";
  static const Configuration c = parse_configuration(configuration, "c", {});
  const auto estimate = static_cast<double>(estimate_of(c).total());
  const std::uint64_t before = resident_bytes();
  constexpr double kThisProgram = 10e6;
  // Left to the end of the process: the kernel takes minutes to destroy that many modules.
  static Simulation* const simulation = std::make_unique<Simulation>(c).release();
  static FabricWaves* const waves = c.waves.enabled ? new FabricWaves(simulation->fabric()) : nullptr;
  static_cast<void>(waves);
  const std::atomic<bool> never{false};
  simulation->run(nullptr, never);
  const double taken = static_cast<double>(resident_bytes() - before) + kThisProgram;
  EXPECT_GT(estimate, .8 * taken);
  EXPECT_LT(estimate, most * taken);
}

class Estimated : public testing::TestWithParam<const char*> {};

TEST_P(Estimated, IsWhatARunTakes) {
  expect_estimate(std::string(GetParam()) +
                  "\ntraffic: {load: 0.01}\nsimulation: {warmup: 0, measure: 20, drain: false}");
}

class EstimatedWithRecovery : public testing::TestWithParam<std::string> {};

// Almost every node has sent a message and received one, so it keeps what the protocol keeps per node. What
// receivers keep per source is estimated for all sources, and a short run meets few of them.
TEST_P(EstimatedWithRecovery, IsWhatARunTakes) {
  expect_estimate("network: {size: [40, 40]}\nrecovery: {protocol: " + GetParam() +
                      "}\nfaults: {node_rate: 1e-7, duration: 10}\ntraffic: {load: 0.1}\n"
                      "simulation: {warmup: 0, measure: 400, drain: false}",
                  1.7);
}

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const RecoveryEntry& entry : recovery_protocols().entries()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Protocols, EstimatedWithRecovery, testing::ValuesIn(protocol_names()),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(
    Networks, Estimated,
    testing::Values(
        "network: {size: [16, 16]}", "network: {size: [64, 64]}",
        "network: {size: [4096]}\nrouter: {virtual_channels: 1}",
        "network: {topology: torus, size: [12, 12, 12]}\nrouter: {preset: kary-ncube, virtual_channels: 8}",
        "network: {topology: hypercube, dimensions: 11}", "network: {topology: kns, k: 16, n: 3}",
        "network: {size: [50, 50]}\nrouter: {preset: sbrp}",
        "network: {size: [40, 40]}\nlink: {latency: 100}",
        "network: {size: [40, 40]}\nrouter: {virtual_channels: 16, input_buffer: 64}",
        "network: {size: [32, 32]}\nwaves: {enabled: true}",
        "network: {size: [40, 40]}\nrecovery: {protocol: none}\nfaults: {node_rate: 1e-6, duration: 10}"),
    [](const auto& p) { return "n" + std::to_string(p.index); });

TEST(MemoryEstimate, OfAMillionNodesFollowsTheirNumber) {
  const double small = static_cast<double>(
      estimate_of(parse_configuration("network: {topology: hypercube, dimensions: 10}", "c", {})).total());
  const double large = static_cast<double>(
      estimate_of(parse_configuration("network: {topology: hypercube, dimensions: 20}", "c", {})).total());
  EXPECT_GT(large, 1024 * 1.5 * (small - 25e6));
}

TEST(MemoryEstimate, ReceiversHaveMemoryForEverySource) {
  const auto estimate = [](const char* size, const char* protocol) {
    return estimate_of(parse_configuration(
        std::string("network: {size: ") + size + "}\nrecovery: {protocol: " + protocol + "}", "c", {}));
  };
  for (const RecoveryEntry& entry : recovery_protocols().entries()) {
    const std::string name(entry.name);
    const auto part = [&](const char* size) -> std::uint64_t {
      for (const MemoryEstimate::Part& p : estimate(size, name.c_str()).parts)
        if (p.name.find("recovery.protocol") != p.name.npos) return p.bytes;
      return 0;
    };
    // The rest is proportional to the number of nodes.
    EXPECT_EQ(part("[64, 64]") - 4 * part("[64, 16]"),
              std::uint64_t{entry.bytes_per_source} * (4096 * 4096 - 4 * 1024 * 1024))
        << name;
    EXPECT_EQ(part("[8, 8]") == 0, name == "none");
    EXPECT_EQ(entry.bytes_per_source > 0, entry.needs.id_memory > 0) << name;
  }
  // Shadow registers, and the rings of their signals.
  const auto registers = [&](const char* protocol) { return estimate("[8, 8]", protocol).parts[1].bytes; };
  EXPECT_GT(registers("sbrp-0"), registers("sbrp-2") + 64 * 20 * sizeof(CutMessage));
}

TEST(MemoryEstimate, RefusesWhatDoesNotFitPartByPart) {
  const Configuration c = parse_configuration("", "c", {});
  const MemoryEstimate estimate = estimate_of(c);
  const auto topology = make_topology(c.network);
  EXPECT_NO_THROW(check_memory(estimate, {estimate.total(), "the machine has that"}, *topology));
  const std::string message = test::message_of([&] {
    check_memory(estimate, {estimate.total() - 1, "the machine has less"}, *topology);
  });
  EXPECT_EQ(message.find("network.size: the 8x8 mesh needs about "), 0u) << message;
  EXPECT_NE(message.find(" are left (the machine has less); "), message.npos) << message;
  for (const MemoryEstimate::Part& part : estimate.parts)
    EXPECT_NE(message.find("\n  " + part.name + ": " + bytes_text(part.bytes)), message.npos) << message;
}

}  // namespace
}  // namespace flitmend
