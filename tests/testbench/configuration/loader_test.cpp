// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/loader.h"

#include <gtest/gtest.h>

#include "testbench/configuration/harmful_options.h"
#include "tests/testbench/configuration/load.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

TEST(Loader, EmptyTextIsTheDefault) {
  for (const char* text : {"", "\n# only a comment\n", "---\n", "{}", "router:\n", "router: {pipeline: }"}) {
    const Configuration c = load(text);
    EXPECT_EQ(c.network.topology, "mesh") << text;
    EXPECT_EQ(c.network.size, (std::vector<std::int64_t>{8, 8})) << text;
    EXPECT_EQ(c.hardware.router.virtual_channels, 4) << text;
    EXPECT_FALSE(c.explicit_key("router.virtual_channels")) << text;
  }
}

TEST(Loader, ReadsEveryKindOfValue) {
  const Configuration c = load(R"(
network: {topology: torus, size: [3, 5]}
router:
  virtual_channels: 0x10
  head_copy: true
  pipeline: {routing: 2, switch_traversal: +3}
simulation: {seed: 9223372036854775807, measure: 1e6, time_limit_seconds: .5, drain: false}
)");
  EXPECT_EQ(c.network.topology, "torus");
  EXPECT_EQ(c.network.size, (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(c.hardware.router.virtual_channels, 16);
  EXPECT_TRUE(c.hardware.router.head_copy);
  EXPECT_EQ(c.hardware.router.pipeline.routing, 2);
  EXPECT_EQ(c.hardware.router.pipeline.vc_allocation, 1);
  EXPECT_EQ(c.hardware.router.pipeline.switch_traversal, 3);
  EXPECT_EQ(c.simulation.seed, 9223372036854775807);
  EXPECT_EQ(c.simulation.measure, 1000000);
  EXPECT_EQ(c.simulation.time_limit_seconds, 0.5);
  EXPECT_FALSE(c.simulation.drain);
}

TEST(Loader, RemembersWhichKeysWereGiven) {
  const Configuration c = load("router: {virtual_channels: 4}\nlink:\n  latency: 2\n", {"link.latency=3"});
  EXPECT_TRUE(c.explicit_key("router.virtual_channels"));
  EXPECT_FALSE(c.explicit_key("router.input_buffer"));
  EXPECT_FALSE(c.explicit_key("router"));
  EXPECT_EQ(c.place_of("router.virtual_channels").text(), "c.yaml:1:28");
  EXPECT_EQ(c.place_of("link.latency").text(), "--set #1");
  EXPECT_EQ(c.place_of("router.input_buffer").text(), "c.yaml");
}

// An option whose default does not go with the other options is not to blame.
TEST(Loader, OptionsThatBringHarm) {
  EXPECT_EQ(
      refusal("network: {size: [4, 4]}\nrouting: {algorithm: duato, escape: terminal, misroutes: 1}\n"
              "router: {vc_reallocation: on-tail}"),
      "c.yaml:3:27: router.vc_reallocation: on-tail, but with wormhole switching routing.algorithm duato "
      "is free of deadlock only with atomic; set atomic, or remove the key");
  const Configuration c =
      load("network: {size: [4, 4]}\nrouting: {algorithm: duato, escape: terminal, misroutes: 1}");
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const auto takes_detours = [](const RoutingProperties& p) { return p.extra_hops > 0; };
  EXPECT_EQ(harmful_options(c.routing, *topology, false, takes_detours), "routing.misroutes 1");
  EXPECT_EQ(harmful_options(c.routing, *topology, true, takes_detours), "routing.misroutes 0");
}

TEST(Loader, UnknownKeys) {
  EXPECT_EQ(refusal("router:\n  virtual_chanels: 2\n"),
            "c.yaml:2:3: router.virtual_chanels: unknown key (did you mean 'virtual_channels'?)");
  EXPECT_EQ(refusal("ruoter: {virtual_channels: 2}"),
            "c.yaml:1:1: ruoter: unknown key (did you mean 'router'?)");
  EXPECT_EQ(refusal("virtual_channels: 2"),
            "c.yaml:1:1: virtual_channels: unknown key (did you mean 'router.virtual_channels'?)");
  EXPECT_EQ(refusal("link: {colour_of_wires: 2}"),
            "c.yaml:1:8: link.colour_of_wires: unknown key; known: latency, credit_latency, flit_bytes");
  EXPECT_EQ(refusal("router: {pipeline: {rooting: 1}}"),
            "c.yaml:1:21: router.pipeline.rooting: unknown key (did you mean 'routing'?)");
  EXPECT_EQ(refusal("network: {topology:mesh}"),
            "c.yaml:1:11: network.topology:mesh: unknown key; write a space after the colon of 'topology:'");
}

TEST(Loader, KeysOfWhatIsNotBuiltYet) {
  EXPECT_EQ(refusal("recovery: {protocol: two-cans-and-a-string}")
                .find("c.yaml:1:22: recovery.protocol: unknown recovery protocol 'two-cans-and-a-string'; "
                      "available: none, "),
            0u);
  const std::string progressive = refusal("deadlock: {recovery: progressive}");
  EXPECT_EQ(progressive.find("c.yaml:1:22: deadlock.recovery: "), 0u) << progressive;
  EXPECT_NE(progressive.find("available: none, compressionless, disha"), std::string::npos) << progressive;
  for (const char* key : {"flit_counter", "vc_allocator", "switch_allocator"}) {
    const std::string message = refusal("router: {" + std::string(key) + ": islip}");
    EXPECT_EQ(message.find("c.yaml:1:10: router." + std::string(key) + ": unknown key"), 0u) << message;
  }
}

TEST(Loader, ANumberIsSharedOutAmongTheKeysOfASection) {
  const Configuration c = load("recovery: {overhead: 100}");
  const auto overhead = [](const Configuration& given, const char* key) {
    return std::get<std::int64_t>(given.recovery.options.given().at(key));
  };
  EXPECT_EQ(overhead(c, "overhead.compose"), 50);
  EXPECT_EQ(overhead(c, "overhead.receive"), 50);
  EXPECT_TRUE(c.explicit_key("recovery.overhead.compose"));
  EXPECT_EQ(overhead(load("recovery: {overhead: {compose: 7}}"), "overhead.receive"), 19);
  EXPECT_EQ(
      refusal("recovery: {overhead: 101}"),
      "c.yaml:1:22: recovery.overhead: '101' cannot be shared out equally among 2 keys; give the section "
      "with its keys");
  EXPECT_EQ(refusal("recovery: {overhead: much}"),
            "c.yaml:1:22: recovery.overhead: expected an integer (0 to 2147483648), found 'much'; or a "
            "section of keys");
  EXPECT_EQ(refusal("router: {pipeline: 4}"),
            "c.yaml:1:20: router.pipeline: expected a section of keys, found '4'");
}

TEST(Loader, FaultsAreCheckedAgainstTheNetwork) {
  const Configuration c = load(R"(
network: {topology: mesh, size: [4, 4]}
faults: {node_rate: 1e-3, duration: 5, events: [{cycle: 500, link: [[0, 0], [1, 0]], duration: permanent}]}
)");
  EXPECT_EQ(c.faults.node_rate, 1e-3);
  EXPECT_EQ(c.faults.duration.cycles, 5);
  EXPECT_EQ(c.faults.events.size(), 1u);
  EXPECT_EQ(refusal("faults: {static_nodes: [[8, 0]]}")
                .find("c.yaml:1:24: faults.static_nodes: there is no node [8, 0] in the 8x8 mesh"),
            0u);
  EXPECT_EQ(refusal("faults: {node_rate: 1.5}").find("c.yaml:1:21: faults.node_rate: 1.5 is out of range"),
            0u);
  EXPECT_EQ(refusal("faults: {regions: [\"box 7,7:2x2\"]}")
                .find("c.yaml:1:19: faults.regions: 'box 7,7:2x2': it does not lie"),
            0u);
  EXPECT_EQ(
      refusal("faults: {random_static_nodes: 64}"),
      "c.yaml:1:31: faults.random_static_nodes: the 8x8 mesh has only 64 nodes; leave at least one alive");
}

TEST(Loader, WrongTypes) {
  const std::string vcs = "router.virtual_channels: expected an integer (1 to 64 virtual channels), found ";
  EXPECT_EQ(refusal("router: {virtual_channels: four}"), "c.yaml:1:28: " + vcs + "'four'");
  EXPECT_EQ(refusal("router: {virtual_channels: 2.5}"), "c.yaml:1:28: " + vcs + "'2.5'");
  EXPECT_EQ(refusal("router: {virtual_channels: 25e-1}"), "c.yaml:1:28: " + vcs + "'25e-1'");
  EXPECT_EQ(refusal("router: {virtual_channels: \"4\"}"), "c.yaml:1:28: " + vcs + "'4' in quotes");
  EXPECT_EQ(refusal("router: {virtual_channels: [4]}"), "c.yaml:1:28: " + vcs + "a list");
  EXPECT_EQ(refusal("router: {virtual_channels: {a: 4}}"), "c.yaml:1:28: " + vcs + "a section of keys");
  EXPECT_EQ(refusal("router: {virtual_channels: .inf}"), "c.yaml:1:28: " + vcs + "'.inf'");
  EXPECT_EQ(refusal("router: {virtual_channels: 0x}"), "c.yaml:1:28: " + vcs + "'0x'");
  EXPECT_EQ(refusal("router: {virtual_channels: --4}"), "c.yaml:1:28: " + vcs + "'--4'");
  EXPECT_EQ(
      refusal("router:\n  virtual_channels:\n"),
      "c.yaml:2:3: router.virtual_channels: no value; expected an integer (1 to 64 virtual channels), or "
      "remove the key");
  EXPECT_EQ(refusal("router: {head_copy: yes}"),
            "c.yaml:1:21: router.head_copy: expected true or false, found 'yes'");
  EXPECT_EQ(refusal("router: 5"), "c.yaml:1:9: router: expected a section of keys, found '5'");
  EXPECT_EQ(
      refusal("router: {switching: [wormhole]}"),
      "c.yaml:1:21: router.switching: expected one of wormhole, virtual-cut-through, store-and-forward, "
      "pipelined-circuit, found a list");
  EXPECT_EQ(refusal("network: {size: 8}"),
            "c.yaml:1:17: network.size: expected a list like [8, 8], found '8'");
  EXPECT_EQ(refusal("network: {size: }"),
            "c.yaml:1:11: network.size: no value; expected a list like [8, 8], or remove the key");
  EXPECT_EQ(refusal("network: {size: [8, x8]}"),
            "c.yaml:1:21: network.size[1]: expected an integer (1 to 1048576 nodes), found 'x8'");
  EXPECT_EQ(
      refusal("simulation: {time_limit_seconds: soon}"),
      "c.yaml:1:34: simulation.time_limit_seconds: expected a number (0 to 1e+09 seconds), found 'soon'");
}

TEST(Loader, OutOfRange) {
  const std::string vcs = "c.yaml:1:28: router.virtual_channels: ";
  const std::string range = " is out of range (1 to 64 virtual channels)";
  for (const char* value :
       {"0", "65", "-1", "99999999999999999999", "1e300", "1e999", "0xffffffffffffffffff"})
    EXPECT_EQ(refusal(std::string("router: {virtual_channels: ") + value + "}"), vcs + value + range);
  for (const char* const wrong : {"0", "1025", "many", "[2]"})
    EXPECT_EQ(
        refusal(std::string("simulation: {threads: ") + wrong + "}")
            .find("c.yaml:1:23: simulation.threads: expected a number of threads from 1 to 1024, or auto"),
        0u)
        << wrong;
  const std::string seconds = "c.yaml:1:34: simulation.time_limit_seconds: ";
  EXPECT_EQ(refusal("simulation: {time_limit_seconds: -1}"),
            seconds + "-1 is out of range (0 to 1e+09 seconds)");
  EXPECT_EQ(refusal("simulation: {time_limit_seconds: 1e999}"),
            seconds + "1e999 is out of range (0 to 1e+09 seconds)");
  for (const char* value : {"nan", ".nan", "inf", ".inf", "-.inf", "NaN"})
    EXPECT_EQ(refusal(std::string("simulation: {time_limit_seconds: ") + value + "}"),
              seconds + "expected a finite number (0 to 1e+09 seconds), found '" + value + "'");
}

TEST(Loader, UnknownChoices) {
  EXPECT_EQ(refusal("router: {switching: wormhol}"),
            "c.yaml:1:21: router.switching: unknown router switching 'wormhol' (did you mean 'wormhole'?); "
            "available: wormhole, virtual-cut-through, store-and-forward, pipelined-circuit");
  std::string names;
  for (const TopologyEntry& topology : topologies().entries())
    names += (names.empty() ? "" : ", ") + std::string(topology.name);
  EXPECT_EQ(
      refusal("network: {topology: butterfly-fat-tree}"),
      "c.yaml:1:21: network.topology: unknown network topology 'butterfly-fat-tree'; available: " + names);
}

TEST(Loader, SaysARangeWithItsUnit) {
  EXPECT_EQ(refusal("faults: {node_rate: 7}"),
            "c.yaml:1:21: faults.node_rate: 7 is out of range (0 to 1 per cycle)");
  EXPECT_EQ(refusal("traffic: {load: 70}"),
            "c.yaml:1:17: traffic.load: 70 is out of range (0 to 64 in units of load_unit)");
}

TEST(Loader, RefusesWhatHasNoEffect) {
  EXPECT_EQ(
      refusal("faults: {aim: {phases: [head]}}"),
      "c.yaml:1:24: faults.aim.rate: faults.aim.phases needs a rate above 0; set it, or remove the phases");
  EXPECT_EQ(
      refusal("recovery: {protocol: fcr}\ndeadlock: {recovery: compressionless, watchdog: stop}"),
      "c.yaml:2:49: deadlock.watchdog: stop, but with deadlock.recovery compressionless the watchdog is "
      "off; set off, or remove the key");
}

TEST(Loader, ReportsSeveralErrorsInTheOrderOfTheText) {
  EXPECT_EQ(
      refusal("router: {virtual_channels: 0, flavour: 1}\nlink: {latency: 0}\n", {"router.head_copy=7", "x"}),
      "c.yaml:1:28: router.virtual_channels: 0 is out of range (1 to 64 virtual channels)\n"
      "c.yaml:1:31: router.flavour: unknown key; known: preset, virtual_channels, input_buffer, "
      "output_buffer, switching, pipeline, vc_reallocation, crossbar, vc_selection, allocator_iterations, "
      "arbitration, busy, retry_backoff, head_copy\n"
      "c.yaml:2:17: link.latency: 0 is out of range (1 to 1024 cycles)\n"
      "--set #1: router.head_copy: expected true or false, found '7'\n"
      "--set #2: 'x' is not KEY=VALUE; write it like router.virtual_channels=2");
  std::string many = "link:\n";
  for (int i = 10; i < 40; ++i) many += "  zzzzzzzzz" + std::to_string(i) + ": 1\n";
  const std::string message = refusal(many);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20);
  EXPECT_TRUE(message.ends_with("\nc.yaml: and 10 more")) << message;
}

TEST(Loader, OptionsGoOverTheFile) {
  const std::string file = "router: {virtual_channels: 2, input_buffer: 3}\nnetwork: {size: [4, 4]}\n";
  Configuration c = load(file, {"router.virtual_channels=5", "network.size=[3,  3, 3]",
                                "router.pipeline.routing=0", "link.latency=7", "link.latency=9"});
  EXPECT_EQ(c.hardware.router.virtual_channels, 5);
  EXPECT_EQ(c.hardware.router.input_buffer, 3);
  EXPECT_EQ(c.hardware.router.pipeline.routing, 0);
  EXPECT_EQ(c.network.size, (std::vector<std::int64_t>{3, 3, 3}));
  EXPECT_EQ(c.hardware.link.latency, 9);
  c = load(file, {"router={output_buffer: 6, pipeline: {routing: 2}}"});
  EXPECT_EQ(c.hardware.router.virtual_channels, 2);
  EXPECT_EQ(c.hardware.router.output_buffer, 6);
  EXPECT_EQ(c.hardware.router.pipeline.routing, 2);
  c = load("router: {virtual_channels: wrong}", {"router.virtual_channels=5"});
  EXPECT_EQ(c.hardware.router.virtual_channels, 5);
}

TEST(Loader, BadOptions) {
  for (const char* option : {"", "=", "x", "router", "=5", ".=5", "router.=5", "router..preset=iq"})
    EXPECT_EQ(refusal("", {option}), "--set #1: '" + std::string(option) +
                                         "' is not KEY=VALUE; write it like router.virtual_channels=2");
  EXPECT_EQ(
      refusal("", {"link.latency=1", "router.vcs=2"}),
      "--set #2: router.vcs: unknown key; known: preset, virtual_channels, input_buffer, output_buffer, "
      "switching, pipeline, vc_reallocation, crossbar, vc_selection, allocator_iterations, "
      "arbitration, busy, retry_backoff, head_copy");
  EXPECT_EQ(refusal("", {"rooter.virtual_channels=2"}),
            "--set #1: rooter: unknown key (did you mean 'router'?)");
  EXPECT_EQ(
      refusal("", {"router.virtual_channels.x=2"}),
      "--set #1: router.virtual_channels: expected an integer (1 to 64 virtual channels), found a section of "
      "keys");
  EXPECT_EQ(refusal("", {"link.latency="}),
            "--set #1: link.latency: no value; expected an integer (1 to 1024 cycles), or remove the key");
  EXPECT_EQ(
      refusal("", {"network.size=[8, 8"}).find("--set #1: not YAML: the braces or brackets are not closed"),
      0u);
  EXPECT_EQ(refusal("", {std::string("link.latency=\x04", 14)}),
            "--set #1:1:14: byte 0x04 is not text; a configuration must be YAML in UTF-8");
  // A file that is not a map is still an error.
  EXPECT_EQ(refusal("garbage", {"link.latency=1"}),
            "c.yaml:1:1: expected sections of keys like 'network: {topology: mesh}', found 'garbage'");
}

TEST(Loader, DuplicateKeys) {
  EXPECT_EQ(refusal("router:\n  input_buffer: 1\n  input_buffer: 2\n"),
            "c.yaml:3:3: input_buffer: set twice, first at c.yaml:2:3; remove one");
  EXPECT_EQ(refusal("router: {}\nlink: {}\nrouter: {}\n"),
            "c.yaml:3:1: router: set twice, first at c.yaml:1:1; remove one");
  EXPECT_EQ(refusal("", {"router={preset: iq, preset: sbrp}"}),
            "--set #1: preset: set twice, first at --set #1; remove one");
}

TEST(Loader, AliasesAndMergeKeys) {
  const Configuration c = load(R"(
network: {size: &size [4, 6]}
router:
  pipeline: &stages {routing: 2, vc_allocation: 3}
  <<: {input_buffer: 5, virtual_channels: 7}
  virtual_channels: 6
link: {<<: [{latency: 3}, {latency: 4, flit_bytes: 16}]}
)");
  EXPECT_EQ(c.hardware.router.input_buffer, 5);
  EXPECT_EQ(c.hardware.router.virtual_channels, 6);
  EXPECT_EQ(c.hardware.link.latency, 3);
  EXPECT_EQ(c.hardware.link.flit_bytes, 16);
  EXPECT_EQ(load("link: {latency: &two 2, credit_latency: *two}").hardware.link.credit_latency, 2);
  EXPECT_EQ(refusal("link: {latency: &zero 0, credit_latency: *zero}"),
            "c.yaml:1:17: link.latency: 0 is out of range (1 to 1024 cycles)");
  EXPECT_EQ(refusal("router: &r {pipeline: *r}"),
            "c.yaml:1:23: an alias is inside the value that it refers to; write the value out");
  EXPECT_EQ(refusal("link: {<<: 5}"), "c.yaml:1:12: <<: expected an alias of a section, found '5'");
  EXPECT_EQ(
      refusal("link: {latency: *nothing}"),
      "c.yaml:1:17: not YAML: there is no anchor (&name) of this name above; define it, or write a text that "
      "starts with * in quotes");
}

TEST(Loader, AliasesThatExpandWithoutEnd) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 1; j < 10; ++j) text += ", " + last;
    text += "]\n";
  }
  EXPECT_NE(refusal(text).find("aliases expand to more than 100000 values"), std::string::npos);
}

TEST(Loader, NotYaml) {
  EXPECT_EQ(
      refusal("router: {virtual_channels: 2"),
      "c.yaml:1:1: not YAML: the braces or brackets are not closed here; check that each { has its } and "
      "each [ its ], with commas between the entries");
  EXPECT_EQ(refusal("router:\n\tvirtual_channels: 2\n"),
            "c.yaml:2:18: not YAML: indent with spaces, not tabs");
  EXPECT_EQ(refusal("router: virtual_channels: 2"),
            "c.yaml:1:25: not YAML: a ':' is not expected here; write one 'key: value' per line, and put a "
            "text that "
            "contains ': ' in quotes");
  EXPECT_EQ(refusal("traffic: {trace: 'a.tra}"),
            "c.yaml:1:25: not YAML: the quotes that open here are not closed");
  EXPECT_EQ(refusal("[1, 2]"),
            "c.yaml:1:1: expected sections of keys like 'network: {topology: mesh}', found a list");
  EXPECT_EQ(refusal("{}\n---\nrouter: {}\n"),
            "c.yaml:3:1: a second YAML document begins here; a configuration must be a single document");
  EXPECT_EQ(refusal("? [a, b]\n: 1\n"), "c.yaml:1:3: a key must be a word; found a list");
  EXPECT_EQ(refusal("link: {latency: !!int 2}"),
            "c.yaml:1:17: tag 'tag:yaml.org,2002:int' is not supported; write the value without it");
  std::string deep(3000, '[');
  EXPECT_NE(refusal(deep), "");
}

// Words of the parser that say nothing to who has not read its sources.
TEST(Loader, NotYamlIsSaidInPlainWords) {
  for (const std::string text :
       {"a: b: c",      "a: [1",          "a: {b: 1", "- a\nb: 1",  "a: ]",  "a: 'x",  "a: \"\\q\"",
        "a: \"\\xzz\"", "a: &",           "a: *",     "a: *b",      "%YAML", "a: !<x", "a:\n  b: 1\n c: 2",
        "a: |x\n b",    "a: \"\n---\n\"", "key: - a", "a: &x &y 1", "@",     "`"}) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find("c.yaml:"), message.npos) << text;
    for (const char* jargon :
         {"illegal", "scalar", "token", "block entry", "flow", "map value", "not found", "node"})
      EXPECT_EQ(message.find(jargon), message.npos) << message;
  }
}

TEST(Loader, KeysAndValuesCannotCommandATerminal) {
  EXPECT_EQ(refusal("\"router\\e[31m\": {}").find("c.yaml:1:1: router\\x1b[31m: unknown key; known: "), 0u);
  EXPECT_EQ(refusal("router: {preset: \"iq\\nflitmend: all is well\"}").find('\n'), std::string::npos);
  EXPECT_EQ(refusal("traffic\u200b: {}"),
            "c.yaml:1:1: traffic\\u200b: unknown key (did you mean 'traffic'?)");
}

TEST(Loader, ProposesNothingThatWasTyped) {
  EXPECT_EQ(refusal("traffic: {traffic: {load: 1}}").find("did you mean 'traffic'"), std::string::npos);
  EXPECT_EQ(refusal("router: {pipeline: {pipeline: 1}}").find("did you mean 'pipeline'"), std::string::npos);
}

TEST(Loader, PresetStandsBelowExplicitKeys) {
  Configuration c = load("router: {preset: sbrp}");
  EXPECT_EQ(c.hardware.router.preset, "sbrp");
  EXPECT_EQ(c.hardware.router.input_buffer, 1);
  EXPECT_EQ(c.hardware.router.output_buffer, 1);
  EXPECT_EQ(c.hardware.router.pipeline.sum(), 1);
  EXPECT_EQ(c.hardware.network_interface.injection, "buffers");
  EXPECT_EQ(c.hardware.network_interface.ejection, "unlimited");
  c = load(
      "network_interface: {ejection: channel}\nrouter: {output_buffer: 3, preset: sbrp, pipeline: {routing: "
      "1}}");
  EXPECT_EQ(c.hardware.router.input_buffer, 1);
  EXPECT_EQ(c.hardware.router.output_buffer, 3);
  EXPECT_EQ(c.hardware.router.pipeline.routing, 1);
  EXPECT_EQ(c.hardware.router.pipeline.vc_allocation, 0);
  EXPECT_EQ(c.hardware.network_interface.ejection, "channel");
  EXPECT_EQ(c.hardware.network_interface.injection, "buffers");
  EXPECT_EQ(load("", {"router.preset=kary-ncube"}).hardware.router.pipeline.sum(), 0);
  EXPECT_EQ(
      refusal("router: {preset: srbp}"),
      "c.yaml:1:18: router.preset: unknown router preset 'srbp' (did you mean 'sbrp'?); available: iq, sbrp, "
      "kary-ncube, kns, rtl-example");
}

TEST(Loader, NeedOfTheRoutingStandsAbovePreset) {
  Configuration c = load("routing: {algorithm: duato}");
  EXPECT_EQ(c.hardware.router.vc_reallocation, "atomic");
  EXPECT_EQ(c.hardware.router.virtual_channels, 4);
  EXPECT_EQ(load("").hardware.router.vc_reallocation, "on-tail");
  // Not required if whole packets fit in a buffer.
  c = load("routing: {algorithm: duato}\nrouter: {switching: virtual-cut-through}");
  EXPECT_EQ(c.hardware.router.vc_reallocation, "on-tail");
  EXPECT_EQ(load("routing: {algorithm: duato}\nrouter: {vc_reallocation: atomic, virtual_channels: 2}")
                .hardware.router.virtual_channels,
            2);
}

TEST(Loader, ExplicitValueAgainstANeedIsRefused) {
  EXPECT_EQ(
      refusal("routing: {algorithm: duato}\nrouter: {vc_reallocation: on-tail}"),
      "c.yaml:2:27: router.vc_reallocation: on-tail, but with wormhole switching routing.algorithm duato is "
      "free of deadlock only with atomic; set atomic, or remove the key");
  EXPECT_EQ(
      refusal("network: {topology: torus}\nrouting: {dateline: halves}\n"
              "router: {vc_reallocation: on-tail, virtual_channels: 4}"),
      "c.yaml:3:27: router.vc_reallocation: on-tail, but with wormhole switching routing.dateline halves "
      "is free of deadlock only with atomic; set atomic, or remove one of these keys");
  EXPECT_EQ(
      refusal("routing: {algorithm: dally-aoki-dynamic}\n"
              "router: {switching: virtual-cut-through, vc_reallocation: on-tail}"),
      "c.yaml:2:59: router.vc_reallocation: on-tail, but with virtual-cut-through switching "
      "routing.algorithm dally-aoki-dynamic is free of deadlock only with atomic; set atomic, or remove "
      "the key");
  EXPECT_EQ(
      refusal("router: {virtual_channels: 1}\nnetwork: {topology: torus}"),
      "c.yaml:1:28: routing.algorithm: dimension-order on an 8x8 torus needs 2 virtual channels (before "
      "the dateline, after the dateline), router.virtual_channels is 1; set it to 2 or more");
  EXPECT_EQ(refusal("network: {topology: kns}\nrouting: {algorithm: duato}").substr(0, 36),
            "c.yaml:2:22: routing.algorithm: duat");
}

TEST(Loader, ErrorsCarryTheirPlace) {
  const auto place = [](const std::string& text, const std::vector<std::string>& sets = {}) {
    try {
      load(text, sets);
    } catch (const ConfigurationError& e) {
      return e.place().value_or(Place{"none"});
    }
    return Place{"no error"};
  };
  EXPECT_EQ(place("router:\n  flavour: 1\nlink: {latency: 0}"), (Place{"c.yaml", 2, 3}))
      << "the first of two";
  EXPECT_EQ(place("router: {virtual_channels: 1}\nnetwork: {topology: torus}"), (Place{"c.yaml", 1, 28}));
  EXPECT_EQ(place("network: {topology: torus}", {"link.latency=2", "router.virtual_channels=1"}),
            (Place{"--set #2"}));
  EXPECT_EQ(place("network: [\x7f]"), (Place{"c.yaml", 1, 11}));
  // The key at fault counts, not a key that the text mentions first.
  EXPECT_EQ(place("waves: {from: 9, to: 8}"), (Place{"c.yaml", 1, 22}));
  EXPECT_EQ(place("waves: {from: 9}", {"waves.to=8"}), (Place{"--set #1"}));
}

TEST(Loader, TopologyWithoutTheDefaultRoutingGetsItsOwn) {
  EXPECT_EQ(load("network: {topology: kns, k: 4}").routing.algorithm, "hybrid-dor");
  EXPECT_EQ(load("network: {topology: torus}").routing.algorithm, "dimension-order");
}

TEST(Loader, ImpossibleSizesAreLocated) {
  EXPECT_EQ(
      refusal("network: {topology: mesh, size: [8, 8], k: 3}"),
      "c.yaml:1:44: network.k: does not belong to topology mesh, whose size is given by size; remove it");
  const std::string message = refusal("network:\n  topology: torus\n  size: [1, 8]\n");
  EXPECT_EQ(message.substr(0, 26), "c.yaml:3:9: network.size: ") << message;
}

}  // namespace
}  // namespace flitmend
