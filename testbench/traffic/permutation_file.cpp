// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <sstream>

#include "base/errors.h"
#include "base/input_file.h"
#include "base/text.h"
#include "testbench/traffic/node_names.h"
#include "testbench/traffic/pattern.h"
#include "testbench/traffic/permutation.h"

namespace flitmend {
namespace {

constexpr const char* kKey = "traffic.permutation_file";

/// "12" or "3,4".
NodeId parse_node(const std::string& word, const Topology& topology, const Place& place) {
  NodeName name{.coordinates = {}, .is_number = word.find(',') == std::string::npos};
  const char* at = word.data();
  const char* const end = at + word.size();
  while (true) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (rest != end && *rest != ','))
      throw ConfigurationError(place,
                               shown_value(word) + " is not a node; write a number, or coordinates like x,y");
    name.coordinates.push_back(number);
    if (rest == end) break;
    at = rest + 1;
  }
  const std::optional<NodeId> node = find_node(name, topology);
  if (!node) throw ConfigurationError(place, no_such_node(name, topology));
  return *node;
}

std::string text_of(const std::string& path) {
  constexpr std::size_t kMostFileBytes = std::size_t{64} << 20;
  try {
    return read_input_text(path, kMostFileBytes, "a permutation");
  } catch (const ConfigurationError& error) {
    if (error.place()) throw;
    throw KeyError(kKey, std::string(error.what()) + "; name another file");
  }
}

}  // namespace

constexpr OptionKey kPermutationFileOption{
    .key = {"permutation_file", "",
            "File for pattern permutation: one line 'source destination' per pair, nodes as numbers or as "
            "coordinates x,y,…; # starts a comment; sources that are not listed send nothing.",
            kAlways},
    .values = OptionKey::Text{}};

std::vector<NodeId> permutation_of_file(const std::string& path, const Topology& topology) {
  if (path.empty())
    throw KeyError(kKey, "not set; pattern permutation needs a file with pairs of nodes",
                   {"traffic.pattern"});
  std::istringstream file(text_of(path));
  const NodeId nodes = topology.node_count();
  std::vector<NodeId> partner(nodes);
  for (NodeId node = 0; node < nodes; ++node) partner[node] = node;
  std::vector<int> source_line(nodes), destination_line(nodes);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const Place place{path, number};
    std::istringstream words(line.substr(0, line.find('#')));
    std::string source_word, destination_word, more;
    if (!(words >> source_word)) continue;
    if (!(words >> destination_word) || words >> more)
      throw ConfigurationError(place, "a line must be 'source destination'");
    const auto claim = [&](int& first, NodeId node, const char* verb) {
      if (first)
        throw ConfigurationError(
            place, formatted("node %1%%2% already in line %3%; in a permutation each node does so only once",
                             node, verb, first));
      first = number;
    };
    const NodeId source = parse_node(source_word, topology, place);
    const NodeId destination = parse_node(destination_word, topology, place);
    claim(source_line[source], source, " sends");
    claim(destination_line[destination], destination, " receives");
    partner[source] = destination;
  }
  return partner;
}

PatternEntry permutation_pattern() {
  return {
      .name = "permutation",
      .description = "pairs from a file",
      .needs = "permutation_file",
      .options = {&kPermutationFileOption},
      .permutation = true,
      .make = [](const PatternContext& c) -> std::unique_ptr<DestinationPattern> {
        return std::make_unique<PermutationPattern>(
            permutation_of_file(c.settings.options.word(kPermutationFileOption), c.topology), c.participants);
      },
  };
}

}  // namespace flitmend
