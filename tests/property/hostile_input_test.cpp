// SPDX-License-Identifier: Apache-2.0
// Thousands of broken configurations, sweeps, studies and traces: each is accepted and then runs, or refused
// with a message that says where the mistake is and what to do. None crashes or hangs.
#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <set>
#include <sstream>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "exploration/studies/study_file.h"
#include "exploration/sweeps/child_process.h"
#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/point_run.h"
#include "support/files.h"
#include "support/hostile_input.h"
#include "support/netrace_bytes.h"
#include "support/program.h"
#include "support/text_mutator.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/writer.h"
#include "testbench/run_end.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

using test::TextMutator;

constexpr std::uint64_t kSeed = 20241122;

/// Configurations to begin with: one of every key, some of every kind.
std::vector<std::string> configurations() {
  return {
      to_yaml(parse_configuration("network: {size: [3, 3]}", "all.yaml", {})),
      "network: {topology: torus, size: [4, 4]}\nrouter: {preset: iq, virtual_channels: 4, input_buffer: 8}\n"
      "link: {latency: 2, credit_latency: 1}\nrouting: {algorithm: dimension-order, dateline: balanced}\n"
      "traffic: {pattern: tornado, load: 0.2, message_length: 5}\nsimulation: {warmup: 10, measure: 100}\n",
      "network:\n  topology: hypercube\n  dimensions: 4\nrouter:\n  preset: sbrp\n  virtual_channels: "
      "3\nrouting:\n"
      "  algorithm: duato\n  selection: random\ntraffic:\n  pattern: hotspot\n  hotspot_nodes: [[1, 0, 1, "
      "0], 5]\n"
      "  hotspot_fraction: 0.3\n  length_distribution: bimodal\n  message_length_long: 9\n  load: 0.1\n",
      "network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\ntraffic: {load: 0.1, injection: bursty, "
      "burst_length: 10, burst_load: 0.8}\nstatistics: {channels: true, histogram: true}\n",
      "router: {preset: kary-ncube, switching: virtual-cut-through, input_buffer: 20, output_buffer: 16, "
      "pipeline: {routing: 2, vc_allocation: 0}}\nnetwork_interface: {source_queue: 3, ejection_latency: 2}\n"
      "traffic: {load: 0.5, load_unit: capacity, length_distribution: normal, message_length_max: 12}\n"
      "deadlock: {watchdog: off}\nsimulation: {seed: 7, max_cycles: 1000, time_limit_seconds: 5}\n",
  };
}

/// Whether this is a valid configuration of a network that is slow to check.
bool large(const std::string& text) {
  try {
    const Configuration c = parse_configuration(text, "c.yaml", {});
    constexpr NodeId kMostNodes = 100;
    return make_topology(c.network)->node_count() > kMostNodes ||
           c.hardware.router.virtual_channels * c.hardware.router.input_buffer > 4096;
  } catch (const std::exception&) {
    return false;
  }
}

TEST_F(HostileInput, Configurations) {
  const std::vector<std::string> seeds = configurations();
  for (std::uint64_t i = 0; i < 4000; ++i) {
    TextMutator mutator(kSeed + i);
    const std::string text = mutator.mutate(seeds[i % seeds.size()]);
    std::optional<Configuration> configuration;
    const bool accepted = accepts(text, {"c.yaml"}, [&] {
      configuration = parse_configuration(text, "c.yaml", {});
      validate(*configuration);
    });
    if (accepted && i % 3 == 0) run(*configuration, text);
  }
}

TEST_F(HostileInput, Options) {
  const std::vector<std::string> seeds = configurations();
  for (std::uint64_t i = 0; i < 800; ++i) {
    TextMutator mutator(kSeed + 10'000 + i);
    const std::string& base = seeds[1 + i % (seeds.size() - 1)];
    std::vector<std::string> sets;
    const char* const keys[] = {"network.size", "router.virtual_channels", "traffic", "routing.algorithm",
                                "link.latency", "simulation.measure"};
    for (unsigned n = 1 + mutator.below(3); n > 0; --n) {
      std::string option = keys[mutator.below(6)] + ("=" + mutator.hostile_value());
      if (mutator.below(4) == 0) option = mutator.mutate(option);
      sets.push_back(option);
    }
    std::optional<Configuration> configuration;
    std::string input = base;
    for (const std::string& set : sets) input += "\n--set " + set;
    const bool accepted = accepts(input, {"c.yaml", "--set #1", "--set #2", "--set #3"}, [&] {
      configuration = parse_configuration(base, "c.yaml", sets);
      validate(*configuration);
    });
    if (accepted && i % 3 == 0) run(*configuration, input);
  }
}

constexpr const char* kSweep =
    "base: c.yaml\naxes:\n  - {key: traffic.load, from: 0.05, to: 0.3, step: 0.05}\n"
    "  - {name: network, keys: [network.topology, network.size], values: [[mesh, [4, 4]], [torus, [3, 5]]]}\n"
    "  - {key: router.virtual_channels, values: [2, 4]}\n  - {seeds: 3}\n"
    "keep: {metrics: [latency.*, traffic.accepted], stats: false}\ntimeout_seconds: 100\nallow_deadlock: "
    "true\n";
constexpr const char* kSaturation =
    "base: {network: {size: [4, 4]}, simulation: {measure: 500}}\naxes:\n"
    "  - {key: traffic.load, from: 0.1, step: 0.05, to: 0.9, zero_load: 0.01, until: saturation}\n"
    "  - {key: routing.algorithm, values: [dimension-order, duato]}\nslurm: {points_per_task: 2, options: "
    "[-p, x]}\n";
constexpr const char* kStudy =
    "title: channels\nabout: |\n  Two lines\n  of text.\ncurves:\n  few: {router.virtual_channels: "
    "2}\nsweeps:\n  s:\n"
    "    base: c.yaml\n    axes:\n      - {key: router.virtual_channels, values: [2, 4, 8]}\n"
    "      - {key: traffic.load, from: 0.1, to: 0.3, step: 0.1}\n      - {seeds: 3}\n"
    "    quick: {axes: [{key: router.virtual_channels, values: [2, 4]}, {key: traffic.load, values: [0.1]}, "
    "{seeds: 2}]}\n"
    "statements:\n  - {says: more is faster, sweep: s, metric: latency.total.mean, where: {traffic.load: "
    "0.1},\n"
    "     ordered: {router.virtual_channels: [4, 2]}, tolerance: 2 %}\n"
    "  - {says: it is small, sweep: s, metric: latency.total.mean, value: few, near: {traffic.load: {0.1: "
    "30}}, "
    "within: 20 %}\n";

BaseReader base_reader(const std::string& base) {
  return [base](const std::string& file) {
    if (file != "c.yaml")
      throw ConfigurationError("cannot read " + escaped_text(file) + ": No such file or directory");
    return base;
  };
}

TEST_F(HostileInput, Sweeps) {
  const std::vector<std::string> bases = configurations();
  for (std::uint64_t i = 0; i < 1500; ++i) {
    TextMutator mutator(kSeed + 20'000 + i);
    const std::string text = mutator.mutate(i % 2 ? kSaturation : kSweep);
    const std::string base = mutator.below(4) ? bases[1 + i % 4] : mutator.mutate(bases[1 + i % 4]);
    accepts(text + "\n--- base:\n" + base, {"s.yaml", "c.yaml"}, [&] {
      const Sweep sweep = parse_sweep(text, "s.yaml", base_reader(base));
      const SweepPlan plan(sweep);
      for (std::int64_t unit = 0; unit < std::min<std::int64_t>(plan.units(), 4); ++unit)
        validate(plan.configuration(plan.point(unit)));
    });
  }
}

TEST_F(HostileInput, Studies) {
  const std::vector<std::string> bases = configurations();
  for (std::uint64_t i = 0; i < 500; ++i) {
    TextMutator mutator(kSeed + 30'000 + i);
    const std::string text = mutator.mutate(kStudy);
    accepts(text, {"st.yaml", "c.yaml"},
            [&] { parse_study(text, "st.yaml", base_reader(bases[1 + i % 4]), i % 2 == 0); });
  }
}

/// Twelve packets among 16 nodes, some of which wait for others.
std::string trace_bytes() {
  test::RawHeader header;
  header.packets = 12;
  header.regions = {{0, 50, 6}, {0, 50, 6}};
  header.region_count = 2;
  std::string packets;
  for (std::uint32_t id = 1; id <= 12; ++id) {
    NetracePacket packet{.cycle = 5 * id, .id = id, .address = 0x100 * id};
    packet.type = static_cast<std::uint8_t>(1 + id % 2);
    packet.source = static_cast<std::uint8_t>(id % 16);
    packet.destination = static_cast<std::uint8_t>((3 * id) % 16);
    if (id % 3 == 1 && id < 12) packet.dependants = {id + 1};
    packets += test::raw_packet(packet);
  }
  return header.bytes() + packets;
}

TEST_F(HostileInput, Traces) {
  const test::TemporaryFolder folder;
  const std::string trace = folder / "t.tra.bz2", bytes = trace_bytes(), packed = test::bzip2(bytes);
  for (std::uint64_t i = 0; i < 1200; ++i) {
    TextMutator mutator(kSeed + 40'000 + i);
    // Of the packets, or of the compressed file.
    test::write_file(trace, i % 4 ? test::bzip2(mutator.mutate_bytes(bytes)) : mutator.mutate_bytes(packed));
    std::string text = "network: {size: [4, 4]}\ntraffic: {trace: " + trace;
    if (i % 5 == 0) text += ", trace_region: " + std::to_string(mutator.below(3));
    text += "}\n";
    std::optional<Configuration> configuration;
    const bool accepted = accepts("trace of seed " + std::to_string(i) + "\n" + text, {"c.yaml"}, [&] {
      configuration = parse_configuration(text, "c.yaml", {});
      validate(*configuration);
    });
    if (accepted && i % 4 == 0) run(*configuration, text);
  }
}

// As a user starts it: nothing but messages with the program's name on standard error, and an exit status
// that the documentation names.
TEST_F(HostileInput, ThroughTheProgram) {
  const ScratchFolder folder;
  const std::vector<std::string> seeds = configurations();
  for (std::uint64_t i = 0; i < 80; ++i) {
    TextMutator mutator(kSeed + 50'000 + i);
    const std::string text = mutator.mutate(seeds[i % seeds.size()]);
    if (large(text)) continue;
    ++tried_;
    std::vector<std::string> words = {i % 2 ? "check" : "run", folder.write("c.yaml", text), "--quiet",
                                      "--set", "simulation.max_cycles=300"};
    if (i % 2 == 0) words.insert(words.end(), {"--allow-deadlock", "--out", folder / "o"});
    ProgramProcess process(words);
    const int status = process.wait();
    EXPECT_TRUE(status == 0 || status == 2 || status == 4 || status == 5) << status << "\n" << text;
    accepted_ += status != 2;
    const bool well = status == 0 || (status == 4 && i % 2);
    std::istringstream lines(process.err());
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(line.starts_with("flitmend: ")) << line << "\n--- input:\n" << text;
      EXPECT_TRUE(!well || line.find(" no effect ") != line.npos || line.starts_with("flitmend: faults: "))
          << line;
    }
    EXPECT_EQ(process.err().find('\x1b'), std::string::npos) << process.err();
    EXPECT_TRUE(well || !process.err().empty()) << status << "\n" << text;
  }
}

}  // namespace
}  // namespace flitmend
