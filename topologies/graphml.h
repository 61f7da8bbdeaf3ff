// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.h"

namespace flitmend {

/// The graph of a network as a GraphML file describes it, checked element by element.
struct GraphDescription {
  struct Router {
    std::string id;          ///< letters, digits and underscores; unique
    bool is_switch = false;  ///< it has no processing element
    std::optional<double> x, y;
    Place place;
  };
  struct Link {
    std::size_t from, to;  ///< indices of two different routers
    unsigned latency = 0;  ///< cycles; 0: not given
    unsigned width = 0;    ///< bits per cycle; 0: not given
    Place place;
    bool one_way = false;  ///< flits go from `from` to `to` only
  };
  std::vector<Router> routers;  ///< in the order of the file
  std::vector<Link> links;      ///< in the order of the file
};

inline constexpr unsigned kLongestLinkLatency = 1024;  ///< cycles
inline constexpr unsigned kWidestLink = 32768;         ///< bits per cycle, as many as the longest flit has

inline constexpr int kFarthestCoordinate = 1'000'000;  ///< of a router's x and y

/// Reads GraphML: nodes are routers, edges are links, directed edges one-way links. Data of a node: kind
/// (node or switch), x and y; of an edge: latency and width. Labels and the graphics of editors are ignored;
/// anything else that is not read is refused. `source`: what error messages call the text. Throws
/// ConfigurationError with the line and column of the error.
GraphDescription read_graphml(const std::string& text, const std::string& source);

}  // namespace flitmend
