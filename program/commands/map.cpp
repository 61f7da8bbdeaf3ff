// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>

#include "analysis/task_mapping/link_loads.h"
#include "analysis/task_mapping/mapping_search.h"
#include "base/checked_file.h"
#include "base/escaped_text.h"
#include "base/text.h"
#include "program/commands/checked_options.h"
#include "program/commands/commands.h"
#include "program/commands/file_kind.h"
#include "protocols/routing/registry.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/source_text.h"
#include "testbench/task_graphs/task_graph.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

struct MapOptions {
  std::string graph, configuration, topology, size;
  std::vector<std::string> sets;
  std::filesystem::path output;
  MappingSearch search;
};

/// The configuration, or the defaults, with what the options override.
Configuration network_of(const MapOptions& options) {
  std::vector<Override> overrides;
  if (!options.topology.empty())
    overrides.push_back({"network.topology=" + options.topology, {"--topology"}});
  if (!options.size.empty()) overrides.push_back({"network.size=[" + options.size + "]", {"--size"}});
  for (Override& set : option_overrides(options.sets)) overrides.push_back(std::move(set));
  const std::string& file = options.configuration;
  if (file.empty()) return read_configuration({}, "the network", overrides, {});
  return load_kind(file, FileKind::configuration, [&] {
    ErrorList errors(file);
    const auto root = parse_document(read_source_text(file), errors);
    errors.throw_if_any();
    return read_configuration(root.value_or(DocumentNode{}), file, overrides, FileFolders(file));
  });
}

std::string number(double value) {
  return formatted("%.10g", value);
}

/// "4119 4125 4119", the first ones.
std::string listed(const std::vector<double>& costs) {
  constexpr std::size_t kShown = 20;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(costs.size(), kShown); ++i) texts.push_back(number(costs[i]));
  return joined(texts, " ") + (costs.size() > kShown ? " …" : "");
}

/// How good the restarts were; of a random mapping nothing.
std::string reached_text(const MappingResults& found) {
  if (found.restarts.empty()) return "; a random mapping";
  return formatted("; reached by %1% of %2%\nrestarts     %3%",
                   std::ranges::count(found.restarts, found.cost), counted(found.restarts.size(), "restart"),
                   listed(found.restarts));
}

/// Refuses a place that cannot be written, before the search.
void check_output(const MapOptions& options) {
  if (options.output.empty()) return;
  const std::filesystem::path parent = options.output.parent_path();
  std::error_code error;
  if (std::filesystem::is_directory(options.output, error) ||
      access(parent.empty() ? "." : parent.c_str(), W_OK) != 0)
    throw ConfigurationError("--output " + escaped_text(options.output.string()) +
                             ": cannot write there; name another file");
}

void refuse_output(const MapOptions& options, const std::string& input) {
  std::error_code error;
  if (options.output.empty() || !std::filesystem::equivalent(options.output, input, error)) return;
  throw ConfigurationError("--output " + options.output.string() + " would overwrite " + input +
                           "; name another file");
}

std::string load_line(const MappingProblem& problem, const MappingResults& found,
                      const RoutingFunction& routing, const Configuration& c, const std::string& unit) {
  const std::vector<LinkLoad> loads =
      link_loads(problem, found.best, routing, c.hardware.router.virtual_channels);
  if (loads.empty()) return "links        none carries anything\n";
  const auto most = std::ranges::max_element(loads, {}, &LinkLoad::load);
  double sum = 0;
  for (const LinkLoad& load : loads) sum += load.load;
  const RouterPort at = most->channel;
  return formatted(
      "links        at most %1% %2% (%3%.%4%), mean %5% over %6% channels, routing %7%\n", number(most->load),
      unit, problem.topology.router_name(at.router), problem.topology.port_name(at.router, at.port),
      number(std::round(sum / static_cast<double>(problem.topology.channel_count()) * 1000) / 1000),
      problem.topology.channel_count(), c.routing.algorithm);
}

void map_graph(const MapOptions& options, Command& command) {
  const TaskGraph graph = read_task_graph(options.graph);
  const Configuration c = network_of(options);
  refuse_output(options, options.graph);
  refuse_output(options, options.configuration);
  check_output(options);
  if (c.faults.any())
    throw ConfigurationError(
        "flitmend map takes every node and link as healthy; remove section faults of the configuration");
  try {
    const std::unique_ptr<Topology> topology = make_topology(c.network);
    const std::unique_ptr<RoutingFunction> routing =
        make_routing(*topology, c.hardware.router.virtual_channels, c.routing);
    MappingProblem problem{*topology, static_cast<std::uint32_t>(graph.tasks.size()), {}};
    if (problem.tasks > topology->node_count())
      throw ConfigurationError(Place{options.graph},
                               formatted("%1% tasks are more than the %2% nodes of the %3%; choose a larger "
                                         "network",
                                         problem.tasks, topology->node_count(), topology->description()));
    double total = 0;
    for (const TaskEdge& edge : graph.edges) {
      problem.traffic.push_back({edge.from, edge.to, edge.weight});
      total += edge.weight;
    }
    const MappingResults found = search_mapping(problem, options.search);
    const std::string unit = graph.has_period ? "MB/s" : "bytes per iteration";
    command.out << formatted("%1% on a %2%: %3%, %4%, %5% %6%\n", options.graph, topology->description(),
                             counted(graph.tasks.size(), "task"), counted(graph.edges.size(), "edge"),
                             number(total), unit);
    command.out << formatted("cost         %1% %2% times hops, mean %3% hops%4%\n", number(found.cost), unit,
                             formatted("%.3f", total > 0 ? found.cost / total : 0), reached_text(found));
    command.out << formatted("random       mean %1%, best %2% of %3% mappings\n",
                             formatted("%.1f", found.random_mean), number(found.random_best),
                             options.search.random_mappings);
    command.out << load_line(problem, found, *routing, c, unit);
    const std::string remark = formatted(
        "# Mapping of the tasks of %1% onto the nodes of a %2%, by flitmend map: cost %3% %4% times hops.\n",
        std::filesystem::path(options.graph).filename().string(), topology->description(), number(found.cost),
        unit);
    const std::string text = task_mapping_text(graph, found.best, remark);
    if (options.output.empty())
      command.out << text;
    else
      write_checked(options.output, text);
  } catch (const KeyError& e) {
    throw c.located(e);
  }
}

}  // namespace

void add_map(CLI::App& program, Command& command) {
  const auto options = std::make_shared<MapOptions>();
  CLI::App* map = program.add_subcommand(
      "map",
      "Search a mapping of a task graph onto a network: the least sum of bandwidth times hops, by simulated "
      "annealing.");
  map->add_option("GRAPH", options->graph, "The task graph (docs/workloads.md).")->required();
  map->add_option("CONFIG", options->configuration,
                  "A configuration with the network and its routing; without it the defaults.");
  map->add_option("--topology", options->topology, "Short for --set network.topology=NAME.")
      ->type_name("NAME");
  map->add_option("--size", options->size, "Short for --set network.size=[K,K].")->type_name("K,K");
  map->add_option("--set", options->sets,
                  "Overrides a key of the configuration, like network.dimensions=4; may be repeated.")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_seed(*map, options->search.seed);
  add_whole_number(*map, "--restarts", options->search.restarts,
                   "Searches, each from another random mapping; 0: the mapping is a random one.",
                   {0, 1'000'000})
      ->capture_default_str();
  add_whole_number(*map, "--random", options->search.random_mappings, "Random mappings to compare with.",
                   {1, 100'000'000})
      ->capture_default_str();
  map->add_option("-o,--output", options->output,
                  "The file to write the mapping to, for traffic.task_mapping; without it, it is printed.")
      ->type_name("FILE")
      ->check(output_name());
  map->callback([options, &command] { map_graph(*options, command); });
}

}  // namespace flitmend
