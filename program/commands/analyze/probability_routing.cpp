// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/probability_vectors/bounds.h"
#include "analysis/probability_vectors/statistics.h"
#include "base/table.h"
#include "base/text.h"
#include "program/commands/analyze/tools.h"
#include "program/commands/number_text.h"
#include "program/terminal/terminal_line.h"

namespace flitmend {
namespace {

struct ProbabilityRoutingArguments {
  CubeOptions cube;
  NamedFaultOptions named;
  std::string from;
  std::string to;
  std::uint32_t faults = 0;
  std::uint64_t link_faults = 0;
  std::uint64_t pairs = 200000;
  std::uint64_t fault_sets = 200;
  std::string memory = "no-return";
  std::string ties = "lowest";
  ArithmeticOption arithmetic;
  std::string loop_limit = "printed";
  std::optional<std::uint64_t> detour_limit;
  bool learn = false;
  bool json = false;
  bool quiet = false;
  RandomOptions random;
};

PvRouting routing_of(const ProbabilityRoutingArguments& a) {
  PvRouting routing;
  routing.memory = a.memory == "none"      ? PvMemory::none
                   : a.memory == "visited" ? PvMemory::visited
                                           : PvMemory::no_return;
  routing.ties = a.ties == "random" ? PvTies::random : PvTies::lowest;
  routing.loop_limit = a.loop_limit == "two-hops" ? PvLoopLimit::two_hops : PvLoopLimit::printed;
  routing.detour_limit = a.detour_limit;
  routing.learn_from_loops = a.learn;
  return routing;
}

void route_one_message(const ProbabilityRoutingArguments& a, std::ostream& out) {
  const KaryCube cube(a.cube.k, a.cube.n);
  const KaryCubeFaults faults = a.named.in(cube);
  const ProbabilityVectorTable table(cube, a.arithmetic.value(), faults);
  const PvRoute route = route_one(table, routing_of(a), faults.count(), cube.node_of(a.from),
                                  cube.node_of(a.to), a.random.seed);
  std::vector<std::string> labels;
  for (KaryCube::Node node : route.path) labels.push_back(cube.label(node));
  if (a.json) {
    const nlohmann::ordered_json object = {
        {"status", to_string(route.status)}, {"hops", route.hops}, {"route", labels}};
    out << object.dump(2) << '\n';
    return;
  }
  out << formatted("%s after %s:", to_string(route.status), counted(route.hops, "hop"));
  for (const std::string& label : labels) out << ' ' << label;
  out << '\n';
}

nlohmann::ordered_json shares(const PvCounts& c) {
  return {{"pairs", c.pairs},
          {"delivered", c.share(c.delivered)},
          {"minimal", c.share(c.minimal)},
          {"within_2", c.share(c.within_2)},
          {"within_4", c.share(c.within_4)},
          {"failed", c.share(c.failed)},
          {"looping", c.share(c.looping)},
          {"disconnected", c.share(c.disconnected)}};
}

void print_json(std::ostream& out, const PvStatistics& s) {
  nlohmann::ordered_json object = shares(s.all);
  add_interval(object, "delivered", "95", s.all.share(s.all.delivered), s.delivered_within);
  object["deviation_percent"] = json_or_null(s.deviation_percent);
  object["mean_hops"] = json_or_null(s.all.mean_hops());
  auto by_distance = nlohmann::ordered_json::array();
  for (const PvDistanceCounts& d : s.by_distance) {
    nlohmann::ordered_json entry = {{"lee", d.lee}, {"hamming", d.hamming}};
    entry.update(shares(d.counts));
    entry["mean_hops"] = json_or_null(d.counts.mean_hops());
    by_distance.push_back(std::move(entry));
  }
  object["by_distance"] = by_distance;
  out << object.dump(2) << '\n';
}

void print_text(std::ostream& out, const PvStatistics& s) {
  const PvCounts& all = s.all;
  out << formatted("%s: delivered %.4f (95 %% interval %s), failed %.4f, looping %.4f, disconnected %.4f\n",
                   counted(all.pairs, "pair"), all.share(all.delivered), interval_text(s.delivered_within, 4),
                   all.share(all.failed), all.share(all.looping), all.share(all.disconnected));
  out << formatted("on a shortest path %.4f, within l+2 %.4f, within l+4 %.4f of all pairs\n",
                   all.share(all.minimal), all.share(all.within_2), all.share(all.within_4));
  if (s.deviation_percent)
    out << formatted("delivered messages: mean %.3f hops, %.2f %% above the Lee distance\n\n",
                     *all.mean_hops(), *s.deviation_percent);
  else
    out << "no message delivered: no mean number of hops\n\n";
  Table table{.columns = {{"Lee", Table::right},
                          {"Hamming", Table::right},
                          {"pairs", Table::right},
                          {"delivered", Table::right},
                          {"minimal", Table::right},
                          {"within l+2", Table::right},
                          {"within l+4", Table::right},
                          {"failed", Table::right},
                          {"looping", Table::right},
                          {"mean hops", Table::right}}};
  for (const PvDistanceCounts& d : s.by_distance) {
    const PvCounts& c = d.counts;
    std::vector<std::string> cells = {std::to_string(d.lee), std::to_string(d.hamming),
                                      std::to_string(c.pairs)};
    for (std::uint64_t count : {c.delivered, c.minimal, c.within_2, c.within_4, c.failed, c.looping})
      cells.push_back(formatted("%.4f", c.share(count)));
    cells.push_back(fixed_text(c.mean_hops(), 3));
    table.add(cells);
  }
  out << table.text();
}

void route_random_messages(const ProbabilityRoutingArguments& a, Command& command) {
  PvExperiment experiment;
  experiment.k = a.cube.k;
  experiment.n = a.cube.n;
  experiment.faulty_nodes = a.faults;
  experiment.faulty_links = a.link_faults;
  experiment.pairs = a.pairs;
  experiment.fault_sets = a.fault_sets;
  experiment.arithmetic = a.arithmetic.value();
  experiment.routing = routing_of(a);
  const PvStatistics statistics = [&] {
    TerminalSurvey terminal(command.terminal, a.quiet);
    return probability_routing_statistics(experiment, a.random.seed, a.random.jobs, &terminal);
  }();
  if (a.json)
    print_json(command.out, statistics);
  else
    print_text(command.out, statistics);
}

}  // namespace

void add_probability_routing(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "probability-routing",
      "Probability-vector routing: one message over named faults, or statistics over random ones.");
  const auto arguments = std::make_shared<ProbabilityRoutingArguments>();
  ProbabilityRoutingArguments& a = *arguments;
  a.cube.add_to(*tool);
  auto* from = tool->add_option("--from", a.from, "Source of a single message, like 200.")->type_name("NODE");
  auto* to = tool->add_option("--to", a.to, "Its destination.")->type_name("NODE")->needs(from);
  from->needs(to);
  for (CLI::Option* option : a.named.add_to(*tool)) option->needs(from);
  add_whole_number(*tool, "--faults", a.faults, "Random faulty nodes.")->excludes(from);
  add_whole_number(*tool, "--link-faults", a.link_faults, "Random faulty links.")->excludes(from);
  add_whole_number(*tool, "--pairs", a.pairs, "Random pairs of healthy nodes, over all fault sets.")
      ->excludes(from)
      ->capture_default_str();
  add_whole_number(*tool, "--fault-sets", a.fault_sets, "Random fault sets.")
      ->excludes(from)
      ->capture_default_str();
  add_word(*tool, "--memory", a.memory, {"none", "no-return", "visited"},
           "Nodes to which a message may not return.")
      ->capture_default_str();
  add_word(*tool, "--ties", a.ties, {"lowest", "random"}, "Choice between equal ports.")
      ->capture_default_str();
  a.arithmetic.add_to(*tool);
  auto* loop_limit = add_word(*tool, "--loop-limit", a.loop_limit, {"printed", "two-hops"},
                              "Hops beyond the Lee distance after which a message counts as looping, for f "
                              "faults: printed, f*(k-2); two-hops, f*max(2, k-2).")
                         ->capture_default_str();
  add_whole_number(*tool, "--detour-limit", a.detour_limit, "A number of hops instead.")
      ->excludes(loop_limit);
  tool->add_flag("--learn", a.learn,
                 "After a loop, tell the network that the destination cannot be reached.");
  add_json_option(*tool, a.json);
  add_quiet(*tool, a.quiet);
  add_random_options(*tool, a.random);
  tool->callback([arguments, from, &command] {
    if (from->count())
      route_one_message(*arguments, command.out);
    else
      route_random_messages(*arguments, command);
  });
}

namespace {

struct ProbabilityBoundsArguments {
  CubeOptions cube;
  std::uint64_t faults = 0;
  bool json = false;
};

void print_json(std::ostream& out, const std::vector<PvLowerBound>& bounds,
                const std::vector<double>& distances) {
  auto theorem1 = nlohmann::ordered_json::array();
  for (const PvLowerBound& b : bounds)
    theorem1.push_back({{"lee", b.lee}, {"hamming", b.hamming}, {"value", b.value}});
  const nlohmann::ordered_json object = {{"theorem1", theorem1}, {"average_distance", distances}};
  out << object.dump(2) << '\n';
}

void print_text(std::ostream& out, const std::vector<PvLowerBound>& bounds,
                const std::vector<double>& distances) {
  out << "Lower bound on the probability of routing within l+4 hops (Theorem 1)\n\n";
  Table theorem1{
      .columns = {{"Lee l", Table::right}, {"Hamming h", Table::right}, {"at least", Table::right}}};
  for (const PvLowerBound& b : bounds)
    theorem1.add({std::to_string(b.lee), std::to_string(b.hamming), fixed_text(b.value, 6)});
  out << theorem1.text();
  out << "\nMean routing distance (Theorem 2)\n\n";
  Table theorem2{.columns = {{"Lee l", Table::right}, {"hops", Table::right}}};
  for (std::size_t i = 0; i < distances.size(); ++i)
    theorem2.add({std::to_string(i + 1), fixed_text(distances[i], 6)});
  out << theorem2.text();
}

}  // namespace

void add_probability_bounds(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "probability-bounds", "Bounds of probability-vector routing in a k-ary 3-cube (Theorems 1 and 2).");
  const auto arguments = std::make_shared<ProbabilityBoundsArguments>();
  arguments->cube.add_to(*tool);
  add_whole_number(*tool, "--faults", arguments->faults, "Number of faulty nodes.")->required();
  add_json_option(*tool, arguments->json);
  tool->callback([arguments, &command] {
    const ProbabilityBoundsArguments& a = *arguments;
    const auto bounds = theorem1_bounds(a.cube.k, a.cube.n, a.faults);
    const auto distances = theorem2_average_distances(a.cube.k, a.cube.n, a.faults);
    if (a.json)
      print_json(command.out, bounds, distances);
    else
      print_text(command.out, bounds, distances);
  });
}

}  // namespace flitmend
