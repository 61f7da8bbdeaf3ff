#include <CLI/CLI.hpp>
#include <boost/format.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/probability_vectors/faults.h"
#include "analysis/probability_vectors/statistics.h"
#include "base/errors.h"
#include "testbench/commands/analyze/options.h"
#include "testbench/commands/analyze/parse.h"
#include "testbench/commands/analyze/probability.h"
#include "testbench/commands/command.h"
#include "testbench/commands/text_table.h"

namespace flitmend {
namespace {

struct Arguments {
  std::uint32_t k = 0;
  std::uint32_t n = 3;
  std::vector<std::string> faulty;
  std::vector<std::string> faulty_links;
  std::string from;
  std::string to;
  std::uint32_t faults = 0;
  std::uint64_t link_faults = 0;
  std::uint64_t pairs = 200000;
  std::uint64_t fault_sets = 200;
  std::string memory = "no-return";
  std::string ties = "lowest";
  std::string arithmetic = "double";
  std::optional<std::uint64_t> detour_limit;
  bool learn = false;
  bool json = false;
  RandomOptions random;
};

PvRouting routing_of(const Arguments& a) {
  PvRouting routing;
  routing.memory = a.memory == "none"      ? PvMemory::none
                   : a.memory == "visited" ? PvMemory::visited
                                           : PvMemory::no_return;
  routing.ties = a.ties == "random" ? PvTies::random : PvTies::lowest;
  routing.detour_limit = a.detour_limit;
  routing.learn_from_loops = a.learn;
  return routing;
}

PvArithmetic arithmetic_of(const Arguments& a) {
  return a.arithmetic == "log" ? PvArithmetic::logarithm : PvArithmetic::plain;
}

void route_one_message(const Arguments& a, std::ostream& out) {
  const KaryCube cube(a.k, a.n);
  const KaryCubeFaults faults = named_faults(cube, a.faulty, a.faulty_links);
  const ProbabilityVectorTable table(cube, arithmetic_of(a), faults);
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
  out << boost::format("%s after %d hops:") % to_string(route.status) % route.hops;
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
  object["delivered_ci95"] = s.delivered_ci95;
  object["deviation_percent"] = s.deviation_percent;
  object["mean_hops"] = s.all.mean_hops();
  auto by_distance = nlohmann::ordered_json::array();
  for (const PvDistanceCounts& d : s.by_distance) {
    nlohmann::ordered_json entry = {{"lee", d.lee}, {"hamming", d.hamming}};
    entry.update(shares(d.counts));
    entry["mean_hops"] = d.counts.mean_hops();
    by_distance.push_back(std::move(entry));
  }
  object["by_distance"] = by_distance;
  out << object.dump(2) << '\n';
}

void print_text(std::ostream& out, const PvStatistics& s) {
  const PvCounts& all = s.all;
  out << boost::format(
             "%d pairs: delivered %.4f (95 %% interval +- %.4f), failed %.4f, looping %.4f, "
             "disconnected %.4f\n") %
             all.pairs % all.share(all.delivered) % s.delivered_ci95 % all.share(all.failed) %
             all.share(all.looping) % all.share(all.disconnected);
  out << boost::format("on a shortest path %.4f, within l+2 %.4f, within l+4 %.4f of all pairs\n") %
             all.share(all.minimal) % all.share(all.within_2) % all.share(all.within_4);
  out << boost::format("of the delivered: mean %.3f hops, %.2f %% above the Lee distance\n\n") %
             all.mean_hops() % s.deviation_percent;
  TextTable table({{"Lee"},
                   {"Hamming"},
                   {"pairs"},
                   {"delivered"},
                   {"minimal"},
                   {"within l+2"},
                   {"within l+4"},
                   {"failed"},
                   {"looping"},
                   {"mean hops"}});
  for (const PvDistanceCounts& d : s.by_distance) {
    const PvCounts& c = d.counts;
    std::vector<std::string> cells = {std::to_string(d.lee), std::to_string(d.hamming),
                                      std::to_string(c.pairs)};
    for (std::uint64_t count : {c.delivered, c.minimal, c.within_2, c.within_4, c.failed, c.looping})
      cells.push_back(formatted("%.4f", c.share(count)));
    cells.push_back(formatted("%.3f", c.mean_hops()));
    table.add(cells);
  }
  table.print(out);
}

void route_random_messages(const Arguments& a, std::ostream& out) {
  PvExperiment experiment;
  experiment.k = a.k;
  experiment.n = a.n;
  experiment.faulty_nodes = a.faults;
  experiment.faulty_links = a.link_faults;
  experiment.pairs = a.pairs;
  experiment.fault_sets = a.fault_sets;
  experiment.arithmetic = arithmetic_of(a);
  experiment.routing = routing_of(a);
  const PvStatistics statistics = probability_routing_statistics(experiment, a.random.seed, a.random.jobs);
  if (a.json)
    print_json(out, statistics);
  else
    print_text(out, statistics);
}

}  // namespace

void add_probability_routing(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "probability-routing",
      "Probability-vector routing: one message over named faults, or statistics over random ones.");
  const auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  tool->add_option("--k", a.k, "Nodes a dimension.")->check(whole_number)->required();
  tool->add_option("--n", a.n, "Dimensions; 3 is the published algorithm.")->capture_default_str();
  auto* from = tool->add_option("--from", a.from, "Source of one message, as 200.");
  auto* to = tool->add_option("--to", a.to, "Its destination.")->needs(from);
  from->needs(to);
  tool->add_option("--faulty", a.faulty, "Faulty nodes of one message, as 011,100.")
      ->delimiter(',')
      ->needs(from);
  tool->add_option("--faulty-link", a.faulty_links, "Faulty links of one message, as 222-202,000-001.")
      ->delimiter(',')
      ->needs(from);
  tool->add_option("--faults", a.faults, "Random faulty nodes.")->check(whole_number)->excludes(from);
  tool->add_option("--link-faults", a.link_faults, "Random faulty links.")
      ->check(whole_number)
      ->excludes(from);
  tool->add_option("--pairs", a.pairs, "Random pairs of healthy nodes, over all fault sets.")
      ->check(whole_number)
      ->excludes(from)
      ->capture_default_str();
  tool->add_option("--fault-sets", a.fault_sets, "Random fault sets.")
      ->check(whole_number)
      ->excludes(from)
      ->capture_default_str();
  tool->add_option("--memory", a.memory, "Where a message may not go: none, no-return, visited.")
      ->check(CLI::IsMember({"none", "no-return", "visited"}))
      ->capture_default_str();
  tool->add_option("--ties", a.ties, "Between equal ports: lowest or random.")
      ->check(CLI::IsMember({"lowest", "random"}))
      ->capture_default_str();
  tool->add_option("--arithmetic", a.arithmetic, "double, or log for elements below its range.")
      ->check(CLI::IsMember({"double", "log"}))
      ->capture_default_str();
  tool->add_option("--detour-limit", a.detour_limit,
                   "Hops beyond the Lee distance after which a message loops; default f*max(2, k-2).")
      ->check(whole_number);
  tool->add_flag("--learn", a.learn, "After a loop, tell the network that the destination is out of reach.");
  add_json_option(*tool, a.json);
  add_random_options(*tool, a.random);
  tool->callback([arguments, from, &command] {
    if (from->count())
      route_one_message(*arguments, command.out);
    else
      route_random_messages(*arguments, command.out);
  });
}

}  // namespace flitmend
