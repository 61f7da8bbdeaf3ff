// SPDX-License-Identifier: Apache-2.0
#include "support/hostile_inputs.h"

#include <array>
#include <iterator>

#include "support/netrace_bytes.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"
#include "topologies/registry.h"

namespace flitmend::test {
namespace {

template <class Words>
std::string one_of(const Words& words, TextMutator& random) {
  return std::string(words[random.below(static_cast<std::uint32_t>(std::size(words)))]);
}

bool with_chance(unsigned percent, TextMutator& random) {
  return random.below(100) < percent;
}

/// The text, or in one of four cases a damaged one.
std::string perhaps_damaged(const std::string& text, TextMutator& random) {
  return with_chance(25, random) ? random.mutate(text) : text;
}

/// A value of a key: mostly an allowed one near its default, sometimes one from the edge of its range or
/// beyond.
std::string value_of(const DeclaredKey& key, TextMutator& random) {
  if (with_chance(8, random)) return random.hostile_value();
  if (!key.choices.empty()) {
    const Choice& choice = key.choices[random.below(static_cast<std::uint32_t>(key.choices.size()))];
    return "\"" + std::string(choice.name) + "\"";
  }
  if (key.allowed == "true, false") return random.below(2) ? "true" : "false";
  constexpr const char* kReals[] = {"0", "0.01", "0.3", "0.5", "1", "2.5", "1e-3"};
  constexpr const char* kWholes[] = {"0", "1", "2", "3", "4", "5", "8", "16", "30"};
  constexpr const char* kLists[] = {
      "[]", "[1]", "[3]", "[[0, 1]]", "[[0, 0], [1, 1]]", "[head]", "[tail, control]"};
  if (key.allowed.starts_with("list")) return one_of(kLists, random);
  return with_chance(30, random) ? one_of(kReals, random) : one_of(kWholes, random);
}

/// KEY=VALUE of any key, but of those that say how large or long a run is.
std::string setting(TextMutator& random) {
  static const std::vector<DeclaredKey> keys = [] {
    std::vector<DeclaredKey> all;
    for (const DeclaredSection& section : declarations(Configuration()))
      for (const DeclaredKey& key : section.keys)
        // Sizes and lengths are chosen by small_run(); files are generators of their own.
        if (!section.path.starts_with("network") && key.path != "simulation.measure" &&
            key.path != "simulation.warmup" && key.path != "simulation.max_cycles" &&
            key.path != "traffic.trace")
          all.push_back(key);
    return all;
  }();
  const DeclaredKey& key = keys[random.below(static_cast<std::uint32_t>(keys.size()))];
  return key.path + "=" + value_of(key, random);
}

constexpr const char* kTriangle =
    "{topology: file, graph: \"<graphml><graph><node id='a'/><node id='b'/><node id='c'/><edge source='a' "
    "target='b'/><edge source='b' target='c'/><edge source='c' target='a'/></graph></graphml>\"}";
constexpr const char* kNetworks[] = {
    "{size: [3, 3]}",
    "{topology: torus, size: [4, 3]}",
    "{topology: mesh, size: [2, 2, 3]}",
    "{topology: hypercube, dimensions: 3}",
    "{topology: kns, k: 3, n: 2}",
    "{topology: kns, k: 4, n: 2, subnetwork: fat-tree, arity: 2}",
    kTriangle,
};

/// Words of a short run of c.yaml with up to `most` settings.
std::vector<std::string> short_run(TextMutator& random, unsigned most) {
  std::vector<std::string> words = {random.below(4) ? "run" : "check", "c.yaml"};
  const bool runs = words.front() == "run";
  for (unsigned count = random.below(most + 1); count > 0; --count) {
    words.emplace_back("--set");
    words.push_back(setting(random));
  }
  for (const char* const limit : {"simulation.max_cycles=600", "simulation.time_limit_seconds=5"}) {
    words.emplace_back("--set");
    words.emplace_back(limit);
  }
  if (runs && random.below(2)) words.insert(words.end(), {"--out", "out"});
  if (runs && random.below(3)) words.emplace_back("--allow-deadlock");
  return words;
}

HostileStart configuration(TextMutator& random) {
  const std::string text = "network: " + one_of(kNetworks, random) +
                           "\nsimulation: {warmup: 20, measure: 150}\ntraffic: {load: 0.2}\n";
  return {short_run(random, 8), {{"c.yaml", perhaps_damaged(text, random)}}};
}

HostileStart faulty_configuration(TextMutator& random) {
  constexpr const char* kProtocols[] = {"none",   "end-to-end", "sbrp-0", "sbrp-1",
                                        "sbrp-2", "utp",        "fcr",    "apcs"};
  constexpr const char* kFaults[] = {
      "{node_rate: 0.002}",
      "{link_rate: 0.002, at_once: 2}",
      "{static_nodes: [1]}",
      "{random_static_links: 1, node_rate: 0.001, duration: permanent}",
      "{events: [{cycle: 30, node: 2, duration: 20}, {cycle: 40, node: 0, duration: 5}]}",
      "{aim: {phases: [head, tail], rate: 0.01, then: [retransmission]}}"};
  const std::string text = "network: " + one_of(kNetworks, random) +
                           "\nrecovery: {protocol: " + one_of(kProtocols, random) +
                           "}\nfaults: " + one_of(kFaults, random) +
                           "\nsimulation: {warmup: 0, measure: 200}\ntraffic: {load: 0.3}\n";
  return {short_run(random, 5), {{"c.yaml", perhaps_damaged(text, random)}}};
}

HostileStart platform(TextMutator& random) {
  std::string map;
  for (unsigned ranges = random.below(4); ranges > 0; --ranges) {
    const unsigned first = random.below(8) * 0x1000;
    map += (map.empty() ? "" : ", ") + std::string("{name: m") + std::to_string(random.below(3)) +
           ", first: " + std::to_string(first) + ", last: " + std::to_string(first + random.below(0x1800)) +
           (random.below(2) ? ", node: " + std::to_string(random.below(10))
                            : ", nodes: [0, " + std::to_string(random.below(10)) +
                                  "], interleave: " + std::to_string(random.below(0x2000))) +
           (random.below(4) ? "" : ", local: " + random.hostile_value()) + "}";
  }
  const std::string text = "network: " + one_of(kNetworks, random) + "\ntlm: {address_map: [" + map +
                           "], target_queue: " + std::to_string(random.below(4)) + "}\n";
  HostileStart hostile{{"check", "c.yaml"}, {{"c.yaml", perhaps_damaged(text, random)}}};
  for (unsigned count = random.below(4); count > 0; --count) {
    hostile.words.emplace_back("--set");
    hostile.words.push_back(setting(random));
  }
  return hostile;
}

HostileStart graph(TextMutator& random) {
  constexpr const char* kNames[] = {"latency", "width", "kind", "x", "y", "label", "delay", "Latency"};
  constexpr const char* kOwners[] = {"edge", "node", "all", "graph", "Node"};
  std::string text = "<graphml>\n";
  const unsigned keys = random.below(4);
  for (unsigned i = 0; i < keys; ++i) {
    text += "<key id='k" + std::to_string(i) + "' for='" + one_of(kOwners, random) + "' attr.name='" +
            one_of(kNames, random) + "'";
    text += random.below(4) ? "/>\n" : "><default>" + std::to_string(random.below(5)) + "</default></key>\n";
  }
  const auto data = [&] {
    if (keys == 0 || random.below(3)) return std::string();
    constexpr const char* kValues[] = {"1", "2", "40", "switch", "node", "0.5", "", "-1", "1e300"};
    return "<data key='k" + std::to_string(random.below(keys + 1)) + "'>" + one_of(kValues, random) +
           "</data>";
  };
  text += "<graph edgedefault='undirected'>\n";
  const unsigned nodes = 1 + random.below(8);
  for (unsigned i = 0; i < nodes; ++i)
    text += "<node id='n" + std::to_string(i) + "'>" + data() + "</node>\n";
  for (unsigned i = 1; i < nodes + random.below(6); ++i) {
    const unsigned from = i < nodes ? random.below(i) : random.below(nodes);
    text += "<edge source='n" + std::to_string(from) + "' target='n" +
            std::to_string(i < nodes ? i : random.below(nodes)) + "'" +
            (random.below(30) ? "" : " directed='1'") + ">" + data() + "</edge>\n";
  }
  HostileStart hostile{short_run(random, 2), {}};
  hostile.files["g.graphml"] = perhaps_damaged(text + "</graph>\n</graphml>\n", random);
  hostile.files["c.yaml"] =
      "network: {topology: file, graph: g.graphml}\nsimulation: {warmup: 0, measure: 100}\nrouting: "
      "{algorithm: " +
      std::string(random.below(2) ? "up-down" : "table") + "}\n";
  return hostile;
}

HostileStart route_table(TextMutator& random) {
  std::string text = random.below(10) ? "" : "\xef\xbb\xbf";
  text += random.below(2) ? "router,destination,next\n" : "router,destination,next,class\n";
  const bool classes = text.ends_with("class\n");
  for (unsigned from = 0; from < 4; ++from)
    for (unsigned to = 0; to < 4; ++to) {
      if (from == to) continue;
      const bool forward = (to + 4 - from) % 4 < 3;
      text += std::to_string(from) + "," + std::to_string(to) + "," +
              std::to_string((from + (forward ? 1 : 3)) % 4) +
              (classes ? "," + std::to_string(random.below(2)) : "") + "\n";
    }
  HostileStart hostile{short_run(random, 1), {}};
  hostile.files["t.csv"] = random.below(2) ? random.mutate(text) : text;
  hostile.files["c.yaml"] =
      "network: {topology: torus, size: [4]}\nrouting: {algorithm: table, table: t.csv}\n"
      "simulation: {warmup: 0, measure: 100}\n";
  return hostile;
}

HostileStart permutation(TextMutator& random) {
  std::string text = random.below(10) ? "# pairs\n" : "\xef\xbb\xbf";
  for (unsigned node = 0; node < 9; ++node)
    text += std::to_string(node) + " " +
            (random.below(4) ? std::to_string(8 - node)
                             : std::to_string(random.below(4)) + "," + std::to_string(random.below(4))) +
            "\n";
  HostileStart hostile{short_run(random, 1), {}};
  hostile.files["p.txt"] = perhaps_damaged(text, random);
  hostile.files["c.yaml"] =
      "network: {size: [3, 3]}\ntraffic: {pattern: permutation, permutation_file: p.txt}\n"
      "simulation: {warmup: 0, measure: 100}\n";
  return hostile;
}

HostileStart trace(TextMutator& random) {
  const std::uint32_t count = 1 + random.below(12);
  RawHeader header;
  header.packets = count;
  header.regions = {{0, 50, count}};
  header.region_count = 1;
  std::string packets;
  for (std::uint32_t id = 1; id <= count; ++id) {
    NetracePacket packet{.cycle = 5 * id, .id = id, .address = 0x100 * id};
    packet.type = static_cast<std::uint8_t>(1 + random.below(3));
    packet.source = static_cast<std::uint8_t>(random.below(16));
    packet.destination = static_cast<std::uint8_t>(random.below(random.below(8) ? 16 : 40));
    if (id < count && random.below(3) == 0) packet.dependants = {id + 1};
    packets += raw_packet(packet);
  }
  const std::string bytes = header.bytes() + packets;
  const unsigned damage = random.below(4);
  HostileStart hostile{short_run(random, 1), {}};
  hostile.files["t.tra.bz2"] = damage == 0   ? random.mutate_bytes(bzip2(bytes))
                               : damage == 1 ? bzip2(random.mutate_bytes(bytes))
                                             : bzip2(bytes);
  hostile.files["c.yaml"] = perhaps_damaged("network: {size: [4, 4]}\ntraffic: {trace: t.tra.bz2}\n", random);
  return hostile;
}

/// A file of a workload, its name and the section that names it.
struct WorkloadFile {
  const char *name, *traffic, *text;
};
constexpr WorkloadFile kWorkloadFiles[] = {
    {"f.csv", "flows: f.csv",
     "from,to,rate,length,class,start,stop\n0,1,.1,5,a,0,100\n2;3,all,.02,2,b\n5,0,1e-3\n"},
    {"m.csv", "matrix: m.csv",
     "0,.1,0,0,0,0,0,0,0\n0,0,.1,0,0,0,0,0,0\n0,0,0,.1,0,0,0,0,0\n0,0,0,0,.1,0,0,0,0\n0,0,0,0,0,.1,0,0,0\n"
     "0,0,0,0,0,0,.1,0,0\n0,0,0,0,0,0,0,.1,0\n0,0,0,0,0,0,0,0,.1\n.1,0,0,0,0,0,0,0,0\n"},
    {"m.csv", "flows: [{matrix: m.csv, class: a, bytes: 8}, {from: 0, to: 1, rate: .1, class: b}]",
     "0,0,0,0,0,0,0,0,.2\n0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0\n"
     "0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0\n"},
    {"n.txt", "noxim_table: n.txt", "% table\n0 1 .02\n2 3 .01 .05 10 50 100\n1 2\n"},
    {"t.csv", "trace: t.csv",
     "cycle,source,destination,bytes,class,id,after,delay\n0,0,1,8,a,1,,\n0,1,0,72,b,2,1,20\n7,5,2,64,a,,,"
     "\n"},
    {"p.csv", "trace: t.csv, mapping: p.csv", "from,to\n0,8\ncpu,router_1_1\n1,0\n"},
    {"g.yaml", "task_graph: g.yaml, iterations: 3, overlap: 2",
     "tasks: [{name: x, cycles: 4}, y, z]\nedges:\n  - {from: x, to: y, bytes: 30, class: a}\n  - {from: y, "
     "to: z, "
     "bytes: 8, messages: 2, class: b}\n  - {from: z, to: x, bytes: 8, tokens: 1, class: b}\nmapping: {x: 0, "
     "y: [1, "
     "0], z: router_1_1}\n"},
};
constexpr const char* kTrafficSections[] = {
    "mode: closed-loop, outstanding: 3, service_time: 4, think_time: 2",
    "mode: batch, outstanding: 2, requests: 20, reply_length: 0",
    "groups: {row: [0, 1, 2]}, collectives: [{collective: all-reduce, group: row, bytes: 64}, {collective: "
    "broadcast, root: 4, bytes: 32, repetitions: 2}]",
    "collectives: [{collective: all-to-all, bytes: 90}], flows: [{pattern: uniform, load: .1, start: 10}]",
    "flows: [{pattern: hotspot, load: .1, class: a}, {name: x, from: 3, to: [1, 2], rate: .05, class: b}]",
};
/// Classes of messages, and a router that can have them.
struct ClassList {
  const char *router, *classes;
};
constexpr ClassList kClassLists[] = {
    {"{}", ""},
    {"{arbitration: oldest-first}", ""},
    {"{arbitration: weighted}", ", classes: [{name: a, weight: 3}, {name: b}], class: b"},
    {"{preset: sbrp, arbitration: weighted}",
     ", classes: [{name: a, virtual_channels: own}, {name: b, virtual_channels: own, weight: 2}], class: a"},
    {"{preset: kns, virtual_channels: 4, arbitration: strict}",
     ", classes: [{name: a, virtual_channels: 0-1, priority: 4}, {name: b, virtual_channels: 2-3}], "
     "class_dependencies: a -> b, class: a"},
    {"{virtual_channels: 4}",
     ", classes: [{name: request, virtual_channels: own}, {name: reply, virtual_channels: own}]"}};

/// A workload with a file, or one that the configuration lists, perhaps with classes of its messages.
HostileStart workload(TextMutator& random) {
  HostileStart hostile{short_run(random, 2), {}};
  std::string traffic;
  if (random.below(2)) {
    const WorkloadFile& file =
        kWorkloadFiles[random.below(static_cast<std::uint32_t>(std::size(kWorkloadFiles)))];
    traffic = file.traffic;
    const std::string name = file.name, text = file.text;
    if (name == "p.csv") hostile.files["t.csv"] = "0,0,cpu,8\n3,1,7,72\n";
    hostile.files[name] = !with_chance(50, random)  ? text
                          : name.ends_with(".yaml") ? random.mutate(text)
                                                    : random.mutate_table(text);
  } else {
    traffic = one_of(kTrafficSections, random);
  }
  const auto any_list = [&] {
    return kClassLists[random.below(static_cast<std::uint32_t>(std::size(kClassLists)))];
  };
  const ClassList list = any_list();
  const std::string router = with_chance(80, random) ? list.router : any_list().router;
  const std::string text = "network: {size: [3, 3]}\nrouter: " + router + "\ntraffic: {" + traffic +
                           list.classes + "}\nsimulation: {max_cycles: 2000}\n";
  hostile.files["c.yaml"] = perhaps_damaged(text, random);
  return hostile;
}

constexpr const char* kBase =
    "network: {size: [3, 3]}\nsimulation: {warmup: 0, measure: 60, max_cycles: 500}\ntraffic: {load: 0.1}\n";

HostileStart sweep(TextMutator& random) {
  constexpr const char* kAxes[] = {
      "{key: traffic.load, values: [0.1, 0.2]}",
      "{key: traffic.load, from: 0.1, to: 0.3, step: 0.1}",
      "{key: router.virtual_channels, values: [2, 4]}",
      "{name: network, keys: [network.topology, network.size], values: [[mesh, [3, 3]], [torus, [3, 3]]]}",
      "{key: routing.algorithm, values: [dimension-order, duato, west-first]}",
      "{seeds: 2}",
      "{key: network.topology, values: [mesh, hypercube]}"};
  std::string text = "base: c.yaml\naxes:\n";
  for (unsigned axes = 1 + random.below(2); axes > 0; --axes) text += "  - " + one_of(kAxes, random) + "\n";
  if (random.below(2)) text += "keep: {metrics: [latency.*], stats: false}\n";
  text += "timeout_seconds: 10\nallow_deadlock: true\n";
  return {{"sweep", "s.yaml", "--out", "out", "--jobs", "2"},
          {{"s.yaml", perhaps_damaged(text, random)}, {"c.yaml", perhaps_damaged(kBase, random)}}};
}

HostileStart campaign(TextMutator& random) {
  const std::string text =
      "base: c.yaml\naxes:\n  - {name: faults, keys: [faults.node_rate, faults.link_rate], values: [[0.002, "
      "0], [0, "
      "0.002]]}\nhits: " +
      std::to_string(1 + random.below(20)) + "\nruns: " + std::to_string(1 + random.below(3)) +
      "\nprotocols: [sbrp-1, utp]\ntimeout_seconds: 10\n";
  return {{"campaign", "k.yaml", "--out", "out", "--jobs", "2"},
          {{"k.yaml", perhaps_damaged(text, random)}, {"c.yaml", perhaps_damaged(kBase, random)}}};
}

HostileStart study(TextMutator& random) {
  const std::string text =
      "title: channels\nabout: two lines\ncurves:\n  few: {router.virtual_channels: 2}\nsweeps:\n  s:\n    "
      "base: "
      "c.yaml\n    axes:\n      - {key: router.virtual_channels, values: [2, 4]}\n      - {key: "
      "traffic.load, values: "
      "[0.1]}\n      - {seeds: 2}\n    timeout_seconds: 10\nstatements:\n  - {says: more is faster, sweep: "
      "s, metric: "
      "latency.total.mean, where: "
      "{traffic.load: 0.1},\n     ordered: {router.virtual_channels: [4, 2]}, tolerance: 2 %}\n  - {says: it "
      "is small, "
      "sweep: s, metric: latency.total.mean, value: few, near: 20, within: \"50 %\"}\n";
  return {{"study", "st.yaml", "--out", "out", "--jobs", "2"},
          {{"st.yaml", perhaps_damaged(text, random)}, {"c.yaml", perhaps_damaged(kBase, random)}}};
}

HostileStart command_line(TextMutator& random) {
  constexpr const char* kCommands[] = {"run",        "check",       "sweep",     "study",
                                       "campaign",   "report",      "list",      "analyze",
                                       "rtl",        "completion",  "reference", "help",
                                       "kns-tables", "fault-rings", "paper",     "probability-routing",
                                       "sweep-task"};
  constexpr const char* kWords[] = {"c.yaml",
                                    "nowhere.yaml",
                                    "out",
                                    "--out",
                                    "--set",
                                    "--waves",
                                    "--quiet",
                                    "--allow-deadlock",
                                    "--no-cache",
                                    "--json",
                                    "--list",
                                    "--faults",
                                    "single",
                                    "double-links",
                                    "--jobs",
                                    "2",
                                    "-1",
                                    "",
                                    "--",
                                    "--help",
                                    "--version",
                                    "bash",
                                    "topologies",
                                    "--package",
                                    "module",
                                    "--state-bits",
                                    "70",
                                    "-o",
                                    "out/r.html",
                                    "network.size=[2,2]",
                                    "traffic.load=",
                                    "=",
                                    "simulation.measure=50",
                                    "--resume",
                                    "--k",
                                    "3",
                                    "--mesh",
                                    "4x4",
                                    "--box",
                                    "1,1:2x2",
                                    "--otu",
                                    "--seed",
                                    "0x7"};
  HostileStart hostile;
  hostile.words.push_back(one_of(kCommands, random));
  for (unsigned count = random.below(7); count > 0; --count)
    hostile.words.push_back(with_chance(10, random) ? random.hostile_value() : one_of(kWords, random));
  // Words have no zeros, and what would write to the folder itself is meant.
  for (std::string& word : hostile.words) std::erase(word, '\0');
  hostile.files["c.yaml"] = kBase;
  for (std::size_t i = 0; i + 1 < hostile.words.size(); ++i)
    if (hostile.words[i] == "--out" || hostile.words[i] == "-o" || hostile.words[i] == "report")
      hostile.words[i + 1] = "out";
  return hostile;
}

}  // namespace

const std::vector<HostileGenerator>& hostile_generators() {
  static const std::vector<HostileGenerator> all = {{"Configurations", configuration},
                                                    {"FaultyConfigurations", faulty_configuration},
                                                    {"Platforms", platform},
                                                    {"Graphs", graph},
                                                    {"RouteTables", route_table},
                                                    {"Permutations", permutation},
                                                    {"Traces", trace},
                                                    {"Workloads", workload},
                                                    {"Sweeps", sweep},
                                                    {"Campaigns", campaign},
                                                    {"Studies", study},
                                                    {"CommandLines", command_line}};
  return all;
}

}  // namespace flitmend::test
