// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "protocols/routing/metric.h"
#include "protocols/routing/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// Where messages may go next: by router and destination, ports and classes of virtual channels.
class RouteTable {
 public:
  struct Hop {
    PortId port;
    std::uint8_t vc_class;
    bool escape = false;  ///< belongs to the escape subfunction R1 of the deadlock proof
    friend bool operator==(const Hop&, const Hop&) = default;
  };
  static constexpr RouterId kMostRouters = 4096;
  static constexpr unsigned kMostClasses = 16;

  /// The first port, in the order of the ports, of those on a path that is shortest by the metric.
  static RouteTable shortest_paths(const Topology&, const Metric&);
  /// From comma-separated values: a line "router,destination,next", which may also name the columns class and
  /// escape, then a line per hop. Routers by name or number; next is a neighbour or a port; escape is yes or
  /// no. Throws ConfigurationError with the line of what is wrong; `source`: what it calls the text.
  static RouteTable from_csv(const Topology&, const std::string& text, const std::string& source);

  std::span<const Hop> hops(RouterId here, NodeId destination) const {
    const std::size_t slot = std::size_t{destination} * routers_ + here;
    return {hops_.data() + first_[slot], hops_.data() + first_[slot + 1]};
  }
  unsigned classes() const { return classes_; }
  /// Most hops of a router and destination; at least 1.
  unsigned most_hops() const { return most_; }
  /// The most hops of a message beyond a shortest path. If messages can go in a circle, a number greater
  /// than that of any route without one.
  std::uint32_t greatest_detour(const Topology&) const;

 private:
  struct Line {
    RouterId router;
    NodeId destination;
    Hop hop;
  };
  class CsvReader;  // route_table_csv.cpp

  /// Throws KeyError if the network is too large for a table.
  static void check_size(const Topology&);

  RouteTable(const Topology&, std::vector<Line>, unsigned classes);

  RouterId routers_;
  std::vector<std::uint32_t> first_;  ///< by destination and router
  std::vector<Hop> hops_;
  unsigned classes_;
  unsigned most_ = 1;
};

/// The value of option `table` (table.cpp): the name of a file, or the table itself; empty: there is none.
std::string table_option(const RoutingSettings&);

/// Whether such a value is the table itself.
bool is_route_table(const std::string& value);

}  // namespace flitmend
