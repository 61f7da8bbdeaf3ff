// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/errors.h"
#include "testbench/traffic/node_names.h"
#include "testbench/traffic/permutation.h"

namespace flitmend {
namespace {

/// "12" or "3,4".
NodeId parse_node(const std::string& word, const Topology& topology, const std::string& where) {
  NodeName name{.coordinates = {}, .is_number = word.find(',') == std::string::npos};
  const char* at = word.data();
  const char* const end = at + word.size();
  while (true) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (rest != end && *rest != ','))
      throw ConfigurationError(where + ": '" + word +
                               "' is not a node; write a number, or coordinates like x,y");
    name.coordinates.push_back(number);
    if (rest == end) break;
    at = rest + 1;
  }
  return node_of(name, topology, where);
}

}  // namespace

std::vector<NodeId> permutation_of_file(const std::string& path, const Topology& topology) {
  if (path.empty())
    throw ConfigurationError(
        "traffic.permutation_file: not set; pattern permutation needs a file with pairs of nodes");
  std::ifstream file(path);
  if (!file)
    throw ConfigurationError("traffic.permutation_file: '" + path +
                             "' cannot be opened: " + std::strerror(errno));
  const NodeId nodes = topology.node_count();
  std::vector<NodeId> partner(nodes);
  for (NodeId node = 0; node < nodes; ++node) partner[node] = node;
  std::vector<unsigned> source_line(nodes), destination_line(nodes);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    const std::string where = path + ":" + std::to_string(number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string source_word, destination_word, more;
    if (!(words >> source_word)) continue;
    if (!(words >> destination_word) || words >> more)
      throw ConfigurationError(where + ": a line must be 'source destination'");
    const auto claim = [&](unsigned& first, NodeId node, const char* verb) {
      if (first)
        throw ConfigurationError(where + ": node " + std::to_string(node) + verb + " already in line " +
                                 std::to_string(first) + "; in a permutation each node does so only once");
      first = number;
    };
    const NodeId source = parse_node(source_word, topology, where);
    const NodeId destination = parse_node(destination_word, topology, where);
    claim(source_line[source], source, " sends");
    claim(destination_line[destination], destination, " receives");
    partner[source] = destination;
  }
  if (file.bad())
    throw ConfigurationError("traffic.permutation_file: '" + path +
                             "' cannot be read: " + std::strerror(errno));
  return partner;
}

}  // namespace flitmend
