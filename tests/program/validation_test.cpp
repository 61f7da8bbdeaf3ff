// SPDX-License-Identifier: Apache-2.0
// What run refuses, check refuses too, in the same words; so does a sweep.
#include <regex>

#include "support/netrace_bytes.h"
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class Validation : public ProgramFixture {
 protected:
  void refused_by_both(const std::string& text, const std::string& what,
                       const ProgramProcess::Options& options = {}) {
    EXPECT_EQ(check(text, {}, options), 2) << text;
    const std::string said = err_;
    EXPECT_EQ(said.find("flitmend: " + (folder_ / "c.yaml") + ":"), 0u) << said;
    EXPECT_NE(said.find(what), said.npos) << said;
    EXPECT_EQ(out_, "");
    EXPECT_EQ(run(text, {"--out", folder_ / "o"}, options), 2) << text;
    EXPECT_EQ(without_memory_left(err_), without_memory_left(said));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
  }
  /// The memory left depends on the command and on the moment.
  static std::string without_memory_left(const std::string& text) {
    return std::regex_replace(text, std::regex("but only [0-9.]+ [kMG]B"), "but only some");
  }
  std::string small_trace() {
    test::RawHeader header;
    header.packets = 1;
    return folder_.write(
        "t.bz2",
        test::bzip2(
            header.bytes() +
            test::raw_packet(
                {.cycle = 10, .id = 1, .address = 0x1000, .type = 1, .source = 1, .destination = 14})));
  }
};

TEST_F(Validation, HardwareThatCannotBeBuilt) {
  refused_by_both("router: {crossbar: virtual-channel}",
                  ":1:20: router.crossbar: virtual-channel needs output buffers");
  refused_by_both("network_interface: {injection: buffers}", "network_interface.injection: buffers fills");
  refused_by_both("network_interface: {ejection_latency: 0}", "network_interface.ejection");
}

TEST_F(Validation, DishaNeedsANetworkOfDimensions) {
  for (const char* const network : {"{topology: kns, k: 2, n: 3}", "{topology: kns, k: 4, n: 1}",
                                    "{topology: kns, k: 4, n: 2, subnetwork: fat-tree, arity: 2}"})
    refused_by_both("network: " + std::string(network) + "\ndeadlock: {recovery: disha}",
                    ":2:22: deadlock.recovery: disha works on meshes, tori and hypercubes only");
}

TEST_F(Validation, WhatDoesNotGoWithPipelinedCircuits) {
  const std::string circuits = "router: {switching: pipelined-circuit}\n";
  const std::string here = ":1:21: router.switching: pipelined-circuit ";
  refused_by_both(circuits + "recovery: {protocol: end-to-end}",
                  here + "works with recovery.protocol none only: the signals of end-to-end ");
  refused_by_both(circuits + "recovery: {protocol: apcs}",
                  "apcs has a pipelined circuit of its own; set wormhole");
  refused_by_both(circuits + "deadlock: {recovery: disha}", here + "works with deadlock.recovery none only");
  refused_by_both(circuits + "faults: {node_rate: 1e-6}", here + "works without faults only");
  refused_by_both(circuits + "faults: {static_links: [[[0, 0], [1, 0]]]}",
                  "set wormhole with recovery.protocol apcs");
  // Heads that go back search around faults that are there from the start.
  const std::string back = "router: {switching: pipelined-circuit, busy: ";
  const std::string tfar = "}\nrouting: {algorithm: tfar}\nnetwork: {size: [4, 4]}\nfaults: ";
  refused_by_both(back + "retry" + tfar + "{static_nodes: [5]}", here + "works without faults only");
  refused_by_both(back + "backtrack" + tfar + "{events: [{cycle: 9, node: 5, duration: 10}]}",
                  here + "with router.busy backtrack works with faults that are there from the start only");
  EXPECT_EQ(run(back + "backtrack" + tfar + "{static_nodes: [5]}\nsimulation: {measure: 500}\n"), 0) << err_;
}

// What a key says is what happens: with a trace there is no warm-up, and no synthetic load.
TEST_F(Validation, AValueThatEqualsWhatHappensIsAccepted) {
  const std::string trace = "network: {size: [4, 4]}\ntraffic: {trace: " + small_trace();
  for (const char* fitting : {"", ", load: 0", ", load: 0.2", ", trace_region: -1"})
    EXPECT_EQ(check(trace + fitting + "}\nsimulation: {warmup: 0, drain: true, max_cycles: 10000}"), 0)
        << err_;
  refused_by_both(trace + "}\nsimulation: {warmup: 1}",
                  "simulation.warmup: 1 has no effect with traffic.trace");
  refused_by_both(trace + "}\nsimulation: {drain: false}", "simulation.drain: false has no effect");
  refused_by_both(trace + ", load: 0.1}", "traffic.load: 0.1 has no effect with traffic.trace");
}

// A head is never behind data that waits for a virtual channel, so on-tail reallocation is as good as atomic.
TEST_F(Validation, EscapeChannelsWithPipelinedCircuitsNeedAtomicReallocation) {
  const std::string duato =
      "network: {size: [4, 4]}\nrouting: {algorithm: duato}\nsimulation: {measure: 500}\n"
      "router: {vc_reallocation: ";
  // Messages of one flit reserve no path: they wait in a buffer in front of others.
  for (const char* technique : {"wormhole", "pipelined-circuit"}) {
    refused_by_both(duato + "on-tail, switching: " + technique + "}",
                    std::string("router.vc_reallocation: on-tail, but with ") + technique + " switching");
    EXPECT_EQ(check(duato + "atomic, switching: " + technique + "}"), 0) << err_;
    EXPECT_NE(out_.find(std::string(technique) + ": free of deadlock and livelock"), out_.npos) << out_;
  }
  EXPECT_EQ(check(duato + "atomic, switching: pipelined-circuit}", {"--faults", "single"}), 2) << out_;
  EXPECT_NE(err_.find("router.switching: pipelined-circuit has no sets of faults to check"), err_.npos)
      << err_;
  EXPECT_EQ(run(duato + "atomic, switching: pipelined-circuit}\n"
                        "traffic: {message_length: 1, load: 0.5}"),
            0)
      << err_;
  // Heads that go back wait in front of nobody.
  for (const char* busy : {"retry", "backtrack"}) {
    const std::string text = duato + "on-tail, switching: pipelined-circuit, busy: " + busy + "}\n";
    EXPECT_EQ(check(text), 0) << err_;
    EXPECT_NE(out_.find("deadlock: free (no head waits for a channel)"), out_.npos) << out_;
    EXPECT_EQ(run(text + "traffic: {message_length: 1, load: 0.3}"), 0) << err_;
  }
  // The verdict on what can deadlock is that of wormhole switching.
  const std::string tfar = "network: {size: [4, 4]}\nrouting: {algorithm: tfar}\nrouter: {switching: ";
  EXPECT_EQ(check(tfar + "pipelined-circuit}"), 4);
  EXPECT_EQ(run(tfar + "pipelined-circuit}"), 2);
  // … unless heads go back rather than wait.
  for (const char* busy : {"retry", "backtrack"}) {
    EXPECT_EQ(check(tfar + "pipelined-circuit, busy: " + busy + "}"), 0) << err_;
    EXPECT_NE(out_.find("deadlock: free (no head waits for a channel)"), out_.npos) << out_;
    EXPECT_EQ(run(tfar + "pipelined-circuit, busy: " + busy + "}\nsimulation: {measure: 500}"), 0) << err_;
    EXPECT_EQ(check(tfar + "wormhole}\nrecovery: {protocol: apcs, scouting: 64, busy: " + busy + "}"), 0)
        << err_;
    EXPECT_NE(out_.find("deadlock: free (no head waits for a channel)"), out_.npos) << out_;
  }
}

TEST_F(Validation, TrafficThatDoesNotGoWithTheNetwork) {
  refused_by_both("traffic: {load: 1.5}", ":1:17: traffic.load: ");
  refused_by_both("traffic: {pattern: hotspot, hotspot_nodes: [64]}",
                  "traffic.hotspot_nodes: there is no node 64");
  refused_by_both("network: {size: [3, 3]}\ntraffic: {pattern: shuffle}", "traffic.pattern");
  refused_by_both("traffic: {pattern: permutation}", "traffic.permutation_file");
  refused_by_both("router: {switching: virtual-cut-through, input_buffer: 4}",
                  "router.input_buffer: 4 flits cannot hold the longest message of 5 flits");
}

TEST_F(Validation, ProbabilityVectorsOnOtherNetworks) {
  const std::string torus =
      "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: probability-vectors}\n";
  refused_by_both(
      "network: {topology: torus, size: [4, 8]}\nrouting: {algorithm: probability-vectors}",
      ":2:22: routing.algorithm: probability-vectors is defined for torus, not for a 4x8 torus; choose");
  refused_by_both("routing: {algorithm: probability-vectors}",
                  "routing.algorithm: probability-vectors is defined for torus, not for an 8x8 mesh; choose");
  refused_by_both("network: {topology: torus, size: [65, 65]}\nrouting: {algorithm: probability-vectors}",
                  "routing.algorithm: probability-vectors has a table for at most 4096 routers");
  refused_by_both(torus + "deadlock: {recovery: disha}",
                  ":3:22: deadlock.recovery: disha does not work with routing.algorithm probability-vectors, "
                  "which is free of deadlock by its escape channels; set none");
  refused_by_both(
      torus + "router: {virtual_channels: 1}",
      "routing.algorithm: probability-vectors on a 4x4 torus needs 2 virtual channels (escape, adaptive)");
  refused_by_both("routing: {vector_bits: 8}",
                  "routing.vector_bits: not an option of dimension-order; remove it");
}

TEST_F(Validation, AlgorithmsThatAbsorbMessages) {
  const std::string absorbing =
      "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: software-based}\nrecovery: {protocol: ";
  for (const char* protocol : {"end-to-end", "sbrp-0", "sbrp-1", "sbrp-2", "utp", "fcr", "apcs"})
    refused_by_both(absorbing + protocol + "}", ":2:22: routing.algorithm: software-based absorbs messages");
}

TEST_F(Validation, AddressMapsOfPlatforms) {
  refused_by_both("tlm: {address_map: [{first: 0, last: 9, node: 1}, {first: 5, last: 20, node: 2}]}",
                  ":1:20: tlm.address_map: 0-0x9 and 0x5-0x14 overlap; change one");
  refused_by_both("tlm: {address_map: [{first: 0, last: 9, node: [9, 9]}]}",
                  "tlm.address_map: there is no node [9, 9] in the 8x8 mesh");
  refused_by_both("tlm: {address_map: [{first: 9, last: 0, node: 1}]}", "the range is empty");
}

TEST_F(Validation, Traces) {
  refused_by_both("traffic: {trace: none.tra.bz2}", ":1:18: traffic.trace: ");
  const std::string trace = small_trace();
  refused_by_both("traffic: {trace: " + trace + "}", "use a network of the trace's size");
  refused_by_both("network: {size: [4, 4]}\ntraffic: {trace: " + trace + ", trace_region: 3}",
                  "has no region 3");
}

TEST_F(Validation, KeysWithoutEffectBesideATrace) {
  const std::string trace = "network: {size: [4, 4]}\ntraffic: {trace: " + small_trace();
  for (const std::string key : {"load: 0.5", "pattern: transpose", "message_length: 7", "injection: poisson",
                                "load_unit: capacity", "include_self: true"})
    refused_by_both(trace + ", " + key + "}", "traffic." + key.substr(0, key.find(':')) + ": ");
  refused_by_both(trace + "}\nsimulation: {warmup: 500}",
                  ":3:22: simulation.warmup: 500 has no effect with traffic.trace");
  refused_by_both(trace + "}\nsimulation: {drain: false}", "simulation.drain: false has no effect");
  // These have an effect.
  EXPECT_EQ(run(trace + "}\nsimulation: {hierarchy: compact, seed: 2, max_cycles: 100000}"), 0) << err_;
  // The effective configuration names all keys, and runs.
  ASSERT_EQ(run(trace + "}", {"--out", folder_ / "p"}), 0) << err_;
  EXPECT_EQ(run(folder_.read("p/config.yaml"), {}), 0) << err_;
}

TEST_F(Validation, Waves) {
  refused_by_both("waves: {enabled: true, scope: [fabric.nothing]}",
                  "waves.scope: 'fabric.nothing' names no signal");
}

// What NetworkOnChip refuses in section tlm can still be run; check says so.
TEST_F(Validation, APlatformThatNetworkOnChipRefuses) {
  const auto remark = [&](const std::string& text) {
    EXPECT_EQ(check(text), 0) << err_;
    const std::size_t begin = out_.find("\ntransactions: ");
    return begin == out_.npos ? "" : out_.substr(begin + 1);
  };
  const std::string refusal =
      "transactions: NetworkOnChip refuses this configuration: " + (folder_ / "c.yaml");
  const std::string unlimited = "network_interface: {ejection: unlimited}\n";
  EXPECT_EQ(remark(unlimited + "tlm: {target_queue: 4}")
                .find(refusal + ":2:21: tlm.target_queue: requests cannot wait in the network, because "),
            0u)
      << out_;
  EXPECT_EQ(remark("faults: {node_rate: 1e-6}\nrecovery: {protocol: sbrp-2}\ntlm: {target_queue: 4}")
                .find(refusal + ":3:21: tlm.target_queue: requests cannot wait in the network with "),
            0u)
      << out_;
  EXPECT_EQ(remark("router: {virtual_channels: 1}\ntlm: {ordering: none}").find(refusal), 0u) << out_;
  // By default targets then take any number of requests.
  for (const char* classes : {"separate", "shared"}) {
    const std::string verdict = remark(unlimited + "tlm: {classes: " + classes + "}");
    EXPECT_EQ(verdict.find("transactions, requests and replies in "), verdict.npos) << verdict;
    EXPECT_NE(out_.find("\ntransactions, requests and replies in "), out_.npos) << out_;
  }
}

TEST_F(Validation, MoreMemoryThanThereIs) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes more memory than this limit";
#endif
  ProgramProcess::Options options;
  options.memory_limit = 600'000'000;
  refused_by_both("network:\n  size: [256, 256]", ":2:9: network.size: the 256x256 mesh needs about ",
                  options);
  EXPECT_NE(err_.find(" of memory, but only "), err_.npos) << err_;
  EXPECT_NE(err_.find(" are left (ulimit -v allows 600 MB)"), err_.npos) << err_;
  for (const char* part :
       {"registers of the routers: ", "channels: ", "network interfaces and their sockets: "})
    EXPECT_NE(err_.find(std::string("\nflitmend:   ") + part), err_.npos) << err_;
  EXPECT_EQ(run("network: {size: [16, 16]}\nsimulation: {measure: 100}", {}, options), 0) << err_;
}

// The states of messages to all destinations of a 40x40 torus take some 400 MB.
TEST_F(Validation, ADeadlockCheckThatTakesMoreMemoryThanThereIs) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes more memory than this limit";
#endif
  ProgramProcess::Options options;
  options.memory_limit = 300'000'000;
  refused_by_both(
      "network: {topology: torus, size: [40, 40]}\nrouting: {algorithm: tfar}",
      ":2:22: routing.algorithm: the deadlock check of tfar on a 40x40 torus with 4 virtual channels, "
      "wormhole needs about ",
      options);
}

TEST_F(Validation, PointsOfASweep) {
  folder_.write("c.yaml", "network: {size: [3, 3]}\nsimulation: {measure: 100}\n");
  const std::string sweep =
      folder_.write("s.yaml", "base: c.yaml\naxes: [{key: router.crossbar, values: [virtual-channel]}]\n");
  EXPECT_EQ(start({"sweep", sweep, "--quiet", "--out", folder_ / "s"}), 2);
  EXPECT_NE(out_.find(sweep + ":2:40: router.crossbar: virtual-channel needs output buffers"), out_.npos)
      << out_;
}

}  // namespace
}  // namespace flitmend
