// SPDX-License-Identifier: Apache-2.0
#include "support/key_effect_bases.h"

#include <algorithm>
#include <cstdio>

#include "protocols/routing/registry.h"
#include "testbench/configuration/configuration.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
#include "topologies/registry.h"

namespace flitmend::test {
namespace {

/// Load that makes messages meet, and a window that is short.
constexpr const char* kBusy =
    "simulation: {warmup: 50, measure: 400, max_cycles: 20000}\ntraffic: {load: 0.45, message_length: 6}\n";

std::string faulty(const std::string& recovery) {
  return "network: {size: [4, 4]}\nrecovery: {" + recovery +
         "}\nfaults: {node_rate: 2e-3, link_rate: 2e-3, duration: 60}\nrouting: {head_wait_cycles: 20}\n"
         "traffic: {load: 0.3, message_length: 8}\nsimulation: {warmup: 0, measure: 1500, max_cycles: "
         "20000}\n";
}

/// A triangle with a tail.
std::string graph(const std::string& keys, const std::string& data) {
  return "network: {topology: file, graph: \"<graphml>" + keys +
         "<graph><node id='a'/><node id='b'/><node id='c'/><node id='d'/><edge source='a' target='b'>" +
         data +
         "</edge><edge source='b' target='c'/><edge source='c' target='a'/><edge source='c' "
         "target='d'/></graph>"
         "</graphml>\"}\nrouting: {algorithm: up-down}\n";
}

/// By key: its values in the examples of registries, other than the default.
const std::map<std::string, std::vector<std::string>>& example_values() {
  static const auto values = [] {
    std::map<std::string, std::vector<std::string>> all;
    const std::vector<DeclaredSection> defaults = declarations(Configuration());
    const auto add = [&](const auto& registry, auto section) {
      for (const auto& entry : registry.entries())
        for (const auto& example : entry.examples) {
          Configuration c;
          c.*section = example;
          for (const DeclaredSection& declared : declarations(c))
            for (const DeclaredKey& key : declared.keys)
              if (key.value != find_key(defaults, key.path).value) all[key.path].push_back(key.value);
        }
    };
    add(topologies(), &Configuration::network);
    add(routing_algorithms(), &Configuration::routing);
    add(traffic_patterns(), &Configuration::traffic);
    add(injection_processes(), &Configuration::traffic);
    add(length_distributions(), &Configuration::traffic);
    return all;
  }();
  return values;
}

/// Of a key with a whole number: one far above the default, and the lowest.
std::vector<std::string> far_numbers(const DeclaredKey& key) {
  long long low = 0, high = 0;
  if (std::sscanf(key.allowed.c_str(), "%lld to %lld", &low, &high) != 2) return {};
  return {std::to_string(std::min(high, 8 * std::stoll(key.value) + 3)), std::to_string(low)};
}

}  // namespace

const std::vector<KeyEffectBase>& key_effect_bases() {
  static const std::string busy = kBusy;
  static const std::vector<KeyEffectBase> bases = {
      {"Mesh", "network: {size: [4, 4]}\n" + busy},
      {"Torus", "network: {topology: torus, size: [4, 4]}\n" + busy},
      {"Hypercube", "network: {topology: hypercube, dimensions: 4}\nrouting: {algorithm: p-cube}\n" + busy},
      {"Kns", "network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\n" + busy},
      {"FatTrees", "network: {topology: kns, k: 4, n: 2, subnetwork: fat-tree, arity: 2}\n" + busy},
      {"Graph", graph("", "") + busy},
      {"GraphWithWidths",
       graph("<key id='w' for='edge' attr.name='width'/>", "<data key='w'>20</data>") + busy},
      {"GraphWithLatencies",
       graph("<key id='l' for='edge' attr.name='latency'/>", "<data key='l'>9</data>") + busy},
      {"Duato",
       "network: {size: [4, 4]}\nrouting: {algorithm: duato}\nrouter: {virtual_channels: 3}\n" + busy},
      {"DuatoOnATorus",
       "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: duato}\nrouter: {virtual_channels: "
       "4}\n" +
           busy},
      {"WestFirst", "network: {size: [4, 4]}\nrouting: {algorithm: west-first}\n" + busy},
      {"OutputBuffers",
       "network: {size: [4, 4]}\nrouter: {output_buffer: 4, pipeline: {routing: 2}}\nlink: {latency: 2}\n" +
           busy},
      {"Sbrp", "network: {size: [4, 4]}\nrouter: {preset: sbrp}\n" + busy},
      {"KaryNcube", "network: {topology: torus, size: [4, 4]}\nrouter: {preset: kary-ncube}\n" + busy},
      {"CutThrough",
       "network: {size: [4, 4]}\nrouter: {switching: virtual-cut-through, input_buffer: 12}\n" + busy},
      {"PipelinedCircuits", "network: {size: [4, 4]}\nrouter: {switching: pipelined-circuit}\n" + busy},
      {"Retry",
       "network: {size: [4, 4]}\nrouter: {switching: pipelined-circuit, busy: retry, virtual_channels: 2}\n" +
           busy},
      {"Hotspot",
       "network: {size: [4, 4]}\ntraffic: {pattern: hotspot, load: 0.2}\nsimulation: {warmup: 50, measure: "
       "400}\n"},
      // Pattern transpose is refused on this size: it would leave the file without effect.
      {"Permutation",
       "network: {size: [4, 3]}\nsimulation: {warmup: 50, measure: 400, max_cycles: 20000}\n"
       "traffic: {pattern: permutation, permutation_file: more_pairs.txt, load: 0.45, message_length: 6}\n"},
      {"Bursty",
       "network: {size: [4, 4]}\ntraffic: {injection: bursty, length_distribution: bimodal, load: 0.2}\n"
       "simulation: {warmup: 50, measure: 1000}\n"},
      {"FixedInterval",
       "network: {size: [4, 4]}\ntraffic: {injection: fixed-interval, length_distribution: uniform, load: "
       "0.3}\n"
       "simulation: {warmup: 50, measure: 400}\n"},
      {"Normal",
       "network: {size: [4, 4]}\ntraffic: {injection: poisson, length_distribution: normal, load: 0.3}\n"
       "simulation: {warmup: 50, measure: 400, drain: false}\n"},
      {"FlowsOfTwoKinds",
       "network: {size: [4, 4]}\ntraffic: {flows: [{from: all, to: all, rate: 0.3}, {pattern: hotspot, load: "
       "0.05}, {from: 0, to: 5, bandwidth: 4e8, bytes: 64}]}\nsimulation: {warmup: 50, measure: 400}\n"},
      {"ClosedLoop",
       "network: {size: [4, 4]}\ntraffic: {mode: closed-loop, outstanding: 4, service_time: 5, think_time: "
       "3}\n"
       "simulation: {warmup: 50, measure: 400}\n"},
      {"Classes",
       "network: {size: [4, 4]}\nrouter: {arbitration: strict, virtual_channels: 4}\ntraffic: {classes: "
       "[{name: low, "
       "virtual_channels: own}, {name: high, virtual_channels: own, priority: 1}], flows: [{pattern: "
       "uniform, load: "
       "0.3, class: low}, {pattern: hotspot, load: 0.2, class: high}]}\nsimulation: {warmup: 50, measure: "
       "400}\n"},
      {"ClassOfMost",
       "network: {size: [4, 4]}\nrouter: {arbitration: strict, virtual_channels: 4}\ntraffic: {class: low, "
       "classes: [{name: low, virtual_channels: own}, {name: high, virtual_channels: own, priority: 1}], "
       "flows: "
       "[{pattern: uniform, load: 0.3}, {pattern: hotspot, load: 0.2, class: high}, {pattern: transpose, "
       "load: "
       "0.1, class: low}]}\nsimulation: {warmup: 50, measure: 400}\n"},
      {"OldestFirst", "network: {size: [4, 4]}\nrouter: {arbitration: oldest-first}\n" + busy},
      {"Collectives",
       "network: {size: [4, 4]}\nrouting: {algorithm: duato, selection: random}\ntraffic: {groups: {row: [0, "
       "1, 2, 3]}, "
       "collectives: [{collective: all-to-all, algorithm: direct, bytes: 800}, {collective: all-reduce, "
       "group: row, "
       "bytes: 200}]}\n"},
      {"Waves", "network: {size: [3, 3]}\nwaves: {enabled: true}\nsimulation: {warmup: 10, measure: 60}\n"},
      {"Disha",
       "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: tfar}\ndeadlock: {recovery: disha, "
       "timeout: "
       "8}\nrouter: {virtual_channels: 1}\ntraffic: {load: 0.6, message_length: 16}\nsimulation: {warmup: 0, "
       "measure: "
       "2000, max_cycles: 20000}\n"},
      {"StaticFaults",
       "network: {topology: hypercube, dimensions: 4}\nrouting: {algorithm: chiu-wu}\n"
       "router: {virtual_channels: 8}\nfaults: {static_nodes: [3, 5, 8]}\n" +
           busy},
      {"FaultsWithoutRecovery", faulty("protocol: none")},
      {"EndToEnd", faulty("protocol: end-to-end, timeout: 300")},
      {"Sbrp0", faulty("protocol: sbrp-0")},
      {"Sbrp1", faulty("protocol: sbrp-1")},
      {"Sbrp2", faulty("protocol: sbrp-2")},
      {"Utp", faulty("protocol: utp")},
      {"Fcr", faulty("protocol: fcr, fcr_capacity: 1, timeout: 30, guard_timeout: 100")},
      {"Apcs", faulty("protocol: apcs, guard_timeout: 100")},
      {"Aimed",
       "network: {size: [4, 4]}\nrecovery: {protocol: sbrp-1}\nfaults: {aim: {phases: [head, tail, "
       "retransmission], rate: "
       "5e-3}}\n"
       "traffic: {load: 0.3, message_length: 8}\nsimulation: {warmup: 0, measure: 1000, max_cycles: "
       "20000}\n"},
      {"IntermediateNodesWithoutFaults",
       "network: {topology: kns, k: 4, n: 2}\nrouting: {algorithm: intermediate-nodes}\n" + busy},
      {"ProbabilityVectors",
       "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: probability-vectors}\n" + busy},
      // From 0 to 3 there is only a detour, which the printed limit does not permit for k = 2.
      {"ProbabilityVectorsThatLoop",
       "network: {topology: torus, size: [2, 2, 2]}\nrouting: {algorithm: probability-vectors}\nfaults: "
       "{static_nodes: [1, 2]}\n" +
           busy},
      {"IntermediateNodes",
       "network: {topology: kns, k: 3, n: 3}\nrouting: {algorithm: intermediate-nodes}\nfaults: "
       "{random_static_links: 9, link_rate: 1e-4, duration: 100}\n" +
           busy},
      {"UpDownUnderFaults",
       "network: {size: [4, 4]}\nrouting: {algorithm: up-down}\nfaults: {link_rate: 1e-3, duration: 60}\n" +
           busy},
      {"SoftwareBased",
       "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: software-based}\nrouter: {preset: "
       "kary-ncube}\nfaults: {static_nodes: [5]}\n" +
           busy},
  };
  return bases;
}

const std::map<std::string, std::string>& key_effect_files() {
  static const std::map<std::string, std::string> files = {
      {"pairs.txt", "0 5\n5 3\n3 0\n"},
      {"graph.yaml",
       "tasks: [a, b, {name: c, cycles: 9}]\nedges: [{from: a, to: b, bytes: 40}, {from: b, to: c, bytes: "
       "40}, {from: c, to: a, bytes: 8, tokens: 2}]\nmapping: {a: 0, b: 5, c: 15}\n"},
      {"places.yaml", "mapping: {a: 3, b: 4, c: 9}\n"},
      {"more_pairs.txt", "0 7\n7 0\n1 6\n6 1\n2 5\n5 2\n3 4\n4 3\n"},
  };
  return files;
}

std::vector<std::string> far_values(const DeclaredKey& key) {
  static const std::map<std::string, std::vector<std::string>> values = {
      {"network.size", {"[3, 3]", "[2, 2, 2]"}},
      {"network.dimensions", {"3"}},
      {"network.k", {"4", "8"}},
      {"network.n", {"3", "4"}},
      {"network.arity", {"4", "0"}},
      {"network.graph",
       {"\"<graphml><graph><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>\""}},
      {"network.node_address_bytes", {"77"}},
      {"router.virtual_channels", {"7", "12"}},
      {"router.input_buffer", {"2", "40"}},
      {"router.output_buffer", {"9", "1", "0"}},
      {"router.pipeline.routing", {"5"}},
      {"router.pipeline.vc_allocation", {"5"}},
      {"router.pipeline.switch_allocation", {"5"}},
      {"router.pipeline.switch_traversal", {"5"}},
      {"router.pipeline.credit", {"40"}},
      {"router.allocator_iterations", {"7"}},
      {"link.latency", {"9"}},
      {"link.credit_latency", {"60", "15"}},
      {"link.flit_bytes", {"64"}},
      {"network_interface.injection_latency", {"7"}},
      {"network_interface.ejection_latency", {"7"}},
      {"network_interface.receiver_latency", {"7"}},
      {"network_interface.source_queue", {"1"}},
      {"network_interface.reinjection_cycles", {"300"}},
      {"tlm.reorder_depth", {"3"}},
      {"tlm.initiator_queue", {"3"}},
      {"tlm.target_queue", {"1"}},
      {"tlm.accept_limit", {"3"}},
      {"tlm.response_limit", {"3"}},
      {"tlm.address_map", {"[{name: m, first: 0, last: 255, node: 0}]"}},
      {"routing.head_wait_cycles", {"1", "900"}},
      {"routing.misroutes", {"2"}},
      {"routing.reversals", {"3"}},
      {"routing.intermediates", {"0", "3", "1"}},
      {"routing.recomputation_cycles", {"9000"}},
      {"routing.vector_bits", {"1"}},
      {"routing.table", {"\"router,destination,next\""}},
      {"recovery.timeout", {"25", "50"}},
      {"recovery.retry_limit", {"1"}},
      {"recovery.acknowledgement_delay", {"100"}},
      {"recovery.overhead.compose", {"200"}},
      {"recovery.overhead.receive", {"200"}},
      {"recovery.backoff.kill", {"1"}},
      {"recovery.backoff.timeout", {"1"}},
      {"recovery.fcr_capacity", {"2"}},
      {"recovery.ask_timeout", {"1"}},
      {"recovery.repeat_timeout", {"1"}},
      {"recovery.backoff_limit", {"0"}},
      {"recovery.guard_timeout", {"200", "5"}},
      {"recovery.scouting", {"3"}},
      {"faults.static_nodes", {"[2]"}},
      {"faults.random_static_nodes", {"1"}},
      {"faults.static_links", {"[[0, 1]]", "[[0, 4]]"}},
      {"faults.random_static_links", {"2"}},
      {"faults.regions", {"['box 1,1:1x1']", "['box 2,2:1x1']"}},
      {"faults.node_rate", {"4e-3"}},
      {"faults.link_rate", {"4e-3"}},
      {"faults.at_once", {"3"}},
      {"faults.duration", {"500"}},
      {"faults.aim.phases", {"[control]"}},
      {"faults.aim.then", {"[body]"}},
      {"faults.aim.rate", {"0.5"}},
      {"faults.aim.at_once", {"2"}},
      {"faults.aim.duration", {"300"}},
      {"faults.aim.from", {"300"}},
      {"faults.aim.apart", {"200"}},
      {"faults.aim.most", {"1"}},
      {"faults.events", {"[{cycle: 60, node: 1, duration: 50}]"}},
      {"deadlock.timeout", {"200"}},
      {"statistics.timeline", {"7"}},
      {"traffic.load", {"0.07"}},
      {"traffic.message_length", {"2", "9"}},
      {"traffic.message_length_min", {"3"}},
      {"traffic.message_length_max", {"17"}},
      {"traffic.message_length_deviation", {"0.5"}},
      {"traffic.message_length_long", {"30"}},
      {"traffic.message_length_long_fraction", {"0.9"}},
      {"traffic.burst_length", {"5"}},
      {"traffic.burst_load", {"0.5"}},
      {"traffic.hotspot_nodes", {"[0, 3]"}},
      {"traffic.messages", {"[{cycle: 5, from: 0, to: 3}]"}},
      {"traffic.hotspot_fraction", {"0.6"}},
      {"traffic.pattern", {"transpose", "hotspot"}},
      {"traffic.permutation_file", {"@pairs.txt"}},
      {"traffic.flows",
       {"[{from: 0, to: 1, rate: 0.3}]",
        "[{from: 0, to: 1, rate: 0.3, class: low}, {from: 2, to: 3, rate: 0.3, class: high}]",
        "[{from: 0, to: 1, rate: 0.3}, {from: 2, to: 3, rate: 0.3, class: high}]"}},
      {"traffic.matrix", {"@pairs.txt"}},
      {"traffic.noxim_table", {"@pairs.txt"}},
      {"traffic.clock_mhz", {"500"}},
      {"traffic.collectives", {"[{collective: broadcast, bytes: 64}]"}},
      {"traffic.groups", {"{row: [0, 5, 3]}"}},
      {"traffic.classes",
       {"[{name: low, virtual_channels: 0-2}, {name: high, virtual_channels: 3}]", "[{name: all-to-all}]"}},
      {"traffic.class", {"high"}},
      {"traffic.class_dependencies", {"nobody -> low"}},
      {"traffic.starvation_limit", {"1"}},
      {"traffic.outstanding", {"9"}},
      {"traffic.reply_length", {"13"}},
      {"traffic.service_time", {"50"}},
      {"traffic.think_time", {"70"}},
      {"traffic.requests", {"7"}},
      {"traffic.task_graph", {"@graph.yaml"}},
      {"traffic.task_mapping", {"@places.yaml"}},
      {"traffic.iterations", {"7"}},
      {"traffic.overlap", {"1"}},
      {"traffic.trace", {"@pairs.txt"}},
      {"traffic.mapping", {"@pairs.txt"}},
      {"traffic.trace_region", {"1"}},
      {"simulation.warmup", {"137"}},
      {"simulation.measure", {"222"}},
      {"simulation.seed", {"99"}},
      {"simulation.max_cycles", {"40"}},
      {"simulation.progress_limit", {"5"}},
      {"simulation.threads", {"2", "3"}},
      {"simulation.time_limit_seconds", {"1e-9"}},
      {"waves.scope", {"['*.router_0_0*']"}},
      {"waves.from", {"30"}},
      {"waves.to", {"40"}}};
  if (const auto given = values.find(key.path); given != values.end()) return given->second;
  std::vector<std::string> others;
  for (const Choice& choice : key.choices)  // the default last: a preset may have another value
    others.insert(choice.name == key.value ? others.end() : others.begin(),
                  "'" + std::string(choice.name) + "'");
  if (key.allowed == "true, false") others = {key.value == "true" ? "false" : "true", std::string(key.value)};
  if (!others.empty()) return others;
  const auto examples = example_values().find(key.path);
  return examples != example_values().end() ? examples->second : far_numbers(key);
}

std::string in_folder(const std::string& value, const std::filesystem::path& folder) {
  return value.starts_with('@') ? (folder / value.substr(1)).string() : value;
}

const std::map<std::string, std::string>& only_sometimes() {
  static const std::map<std::string, std::string> keys = {
      {"simulation.hierarchy", ""},                   // objects of SystemC and memory, never a result
      {"simulation.threads", ""},                     // time, never a result
      {"simulation.progress_limit", ""},              // a run must stand still: RunStatus
      {"network_interface.source_queue", ""},         // holds back what a node creates faster than it sends
      {"network_interface.injection_limit", "Mesh"},  // outputs must be busy
      {"router.output_buffer", "OutputBuffers"},      // flits must wait for a link
      {"router.allocator_iterations", "Mesh"},        // requests must collide
      {"routing.selection", "Duato"},                 // several candidates must be free
      {"routing.request", "Duato"},                   // the same
      {"traffic.load_unit", "Kns"},                   // 2B/N is 1 on a 4x4 mesh
      {"traffic.matrix", ""},                         // the file is for another network
      {"traffic.noxim_table", ""},                    // the same
      {"routing.metric", "GraphWithLatencies"},       // links must differ
      {"routing.ties", "Torus"},    // there, both directions are candidates of an adaptive one
      {"routing.escape", "Duato"},  // a head on an escape channel must meet a free other
      {"routing.head_wait_cycles", "FaultsWithoutRecovery"},  // a fault must leave a head no route
      {"recovery.ask_timeout", "Sbrp2"},                      // a piece must wait for its rest
  };
  return keys;
}

}  // namespace flitmend::test
