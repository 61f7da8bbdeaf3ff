// SPDX-License-Identifier: Apache-2.0
// A run whose clock stops while nothing moves has the results, events and waves of one whose clock does not.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "support/files.h"
#include "support/sample_trace.h"
#include "testbench/configuration/loader.h"
#include "testbench/recording/event_log.h"
#include "testbench/recording/wave_stories.h"
#include "testbench/simulation.h"
#include "testbench/statistics/results.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

/// Counts the cycles that it hears about. One that needs every cycle keeps the clock going.
class CountsCycles final : public CycleObserver {
 public:
  explicit CountsCycles(bool needs_all) : needs_all_(needs_all) {}
  void cycle_done(Cycle, const Word*, const Word*, unsigned) override { ++count; }
  Cycle needed_after(Cycle t) const override { return needs_all_ ? t + 1 : kNever; }
  std::uint64_t count = 0;

 private:
  bool needs_all_;
};

/// Few messages and few faults; everything is recorded.
constexpr const char* kCommon = R"(
network: {size: [4, 4]}
traffic: {load: 0.002}
simulation: {warmup: 500, measure: 8000, max_cycles: 100000}
statistics: {channels: true, detours: true, histogram: true, events: true}
)";
constexpr const char* kFaults = "faults={node_rate: 2e-5, link_rate: 2e-5, duration: 50}";

/// Runs that configuration, and writes what it finds to the folder: stats.json without the times of the host,
/// events.csv, waves.vcd, and the number of cycles that an observer hears about.
void run(const std::vector<std::string>& sets, bool stops, const std::filesystem::path& folder) {
  const Configuration c = parse_configuration(kCommon, "test", sets);
  Simulation simulation(c);
  CountsCycles counter(!stops);
  simulation.fabric().add_observer(static_cast<CycleObserver&>(counter));
  FabricWaves waves(simulation.fabric());
  waves.start(c.waves, folder.string(), simulation.clock_period());
  EventLog events(folder / "events.csv", simulation.topology());
  simulation.network().record_events(events);
  const auto fault = simulation.network().record_fault();
  const std::atomic<bool> stop{false};
  Outcome outcome = simulation.run(nullptr, stop);
  waves.finish();
  if (fault) waves.mark(fault->story());
  outcome.results.host = {};
  test::write_file(folder / "stats.json", to_json(outcome.results));
  test::write_file(folder / "cycles", std::to_string(counter.count));
}

/// The same in a process of its own, as every simulation needs.
void run_in_child(const std::vector<std::string>& sets, bool stops, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const pid_t child = fork();
  if (child == 0) {
    try {
      run(sets, stops, folder);
    } catch (const std::exception& error) {
      test::write_file(folder + "/error", error.what());
      _exit(1);
    }
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0) << test::read_file(folder + "/error");
}

void expect_same_results(const std::vector<std::string>& sets) {
  std::string text;
  for (const std::string& set : sets) text += set + "; ";
  SCOPED_TRACE(text);
  const test::TemporaryFolder folder;
  ASSERT_NO_FATAL_FAILURE(run_in_child(sets, false, folder / "always"));
  ASSERT_NO_FATAL_FAILURE(run_in_child(sets, true, folder / "gated"));
  for (const char* file : {"stats.json", "events.csv", "waves.vcd"})
    EXPECT_TRUE(test::read_file(folder / "always/" + file) == test::read_file(folder / "gated/" + file))
        << file;
  EXPECT_GT(test::read_file(folder / "gated/waves.vcd").size(), 1000u);
  EXPECT_LT(std::stoull(test::read_file(folder / "gated/cycles")),
            std::stoull(test::read_file(folder / "always/cycles")))
      << "the clock did not stop";
}

TEST(GatedClock, ChangesNoResultOfAnyTopology) {
  for (const std::string network :
       {"network={topology: mesh}", "network={topology: torus, size: [3, 3, 3]}",
        "network={topology: hypercube, size: [], dimensions: 4}",
        "network={topology: kns, size: [], k: 4, n: 2}",
        "network={topology: kns, size: [], k: 4, n: 2, subnetwork: fat-tree, arity: 2}"})
    expect_same_results({network});
}

TEST(GatedClock, ChangesNoResultOfAnyRouterOrAlgorithm) {
  expect_same_results({"router.preset=sbrp"});
  expect_same_results({"router.preset=rtl-example"});
  expect_same_results({"router.output_buffer=4", "link={latency: 3, credit_latency: 5}"});
  expect_same_results({"router.switching=pipelined-circuit"});
  expect_same_results({"router.switching=virtual-cut-through", "network_interface.ejection=unlimited"});
  expect_same_results({"routing.algorithm=duato", "router.vc_reallocation=atomic"});
  expect_same_results({"network={topology: torus, size: [4, 4]}", "routing.algorithm=tfar",
                       "router.virtual_channels=1", "deadlock.watchdog=count"});
  expect_same_results({"network.topology=torus", "routing.algorithm=probability-vectors",
                       "router.vc_reallocation=atomic",
                       "faults.events=[{cycle: 2500, node: 6, duration: permanent}]"});
  expect_same_results({"network={topology: kns, size: [], k: 4, n: 2}",
                       "routing.algorithm=intermediate-nodes",
                       "faults.events=[{cycle: 2500, node: switch_d0_2, duration: permanent}]"});
}

TEST(GatedClock, ChangesNoResultOfAnyRecovery) {
  for (const std::string protocol :
       {"none", "end-to-end", "sbrp-0", "sbrp-1", "sbrp-2", "utp", "fcr", "apcs"})
    expect_same_results({"recovery.protocol=" + protocol, kFaults, "router.vc_reallocation=atomic"});
  expect_same_results({"recovery={protocol: end-to-end, acknowledgement_delay: 20}", kFaults});
  // Timers that end while flits are on long wires.
  expect_same_results({"recovery={protocol: end-to-end, timeout: 20}", "link.latency=100"});
  expect_same_results({"recovery={protocol: sbrp-2, guard_acknowledgement: off, guard_timeout: 100}",
                       "link.latency=30", kFaults});
  expect_same_results(
      {"recovery.protocol=sbrp-1", "faults.events=[{cycle: 7000, link: [5, 6], duration: 40}]"});
  expect_same_results({"recovery.protocol=sbrp-1", "faults={aim: {phases: [tail, control], rate: 0.2}}",
                       "statistics.hits=true"});
}

TEST(GatedClock, ChangesNoResultOfAnyTraffic) {
  for (const std::string injection : {"bernoulli", "poisson", "fixed-interval", "bursty"})
    expect_same_results({"traffic.injection=" + injection});
  expect_same_results({"traffic={load: 0}", "simulation.drain=false"});
  expect_same_results(
      {"traffic={load: 0, messages: [{cycle: 70, from: 0, to: 15, length: 9}, "
       "{cycle: 20000, from: 5, to: 6, length: 2}, {cycle: 20000, from: 9, to: 1, length: 30}]}",
       "simulation={warmup: 0, measure: 10000}"});
  const test::TemporaryFolder folder;
  test::write_sample_trace(folder / "trace.tra.bz2");
  expect_same_results({"traffic={load: 0, trace: " + (folder / "trace.tra.bz2") + "}",
                       "simulation={warmup: 0, measure: 10000}"});
}

TEST(GatedClock, ChangesNoWindowOfWaves) {
  for (const std::string waves : {"waves={from: 0, to: 10}", "waves={from: 3000}",
                                  "waves={from: 3000, to: 4000}", "waves={from: 90, to: 100000}"})
    expect_same_results({waves, "link.latency=2"});
}

}  // namespace
}  // namespace flitmend
