// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "topologies/graphml.h"
#include "topologies/topology.h"

namespace flitmend {

/// A graph from a GraphML file in which every node reaches every router. Nodes are numbered in the order of
/// the file, switches follow. There is one dimension, in which a node's coordinate is its number.
class FileTopology : public Topology {
 public:
  /// The largest graph: distances are a table of 2 bytes per pair of routers.
  static constexpr std::size_t kMostRouters = 4096;

  /// `source`: what error messages call the text. Throws ConfigurationError with a line.
  FileTopology(const std::string& graphml, const std::string& source);

  std::string description() const override;
  std::vector<std::uint32_t> coordinates(RouterId) const override;
  std::string router_name(RouterId) const override;  ///< "router_ID", "switch_ID"
  std::string port_name(RouterId, PortId)
      const override;  ///< "to_ID"; of parallel links also "to_ID_2"; where a one-way link ends "from_ID"
  std::uint32_t distance(NodeId from, NodeId to) const override;
  /// Twice the fewest channels that lead from the first half of the nodes to the others, or back, over any
  /// cut.
  std::uint64_t bisection_channels() const override { return bisection_; }
  std::uint32_t diameter() const override { return diameter_; }
  unsigned link_latency(RouterId, PortId) const override;
  unsigned link_width(RouterId, PortId) const override;
  /// As the file says, with routers of the same place side by side; on a circle if it has no x and y for
  /// every router.
  std::optional<MapPosition> position(RouterId) const override;

 private:
  void check(const GraphDescription&, const std::string& source) const;
  void connect_all(const GraphDescription&);
  void measure(const GraphDescription&);

  std::vector<std::string> ids_;                      ///< by router
  std::vector<MapPosition> positions_;                ///< by router; empty: on a circle
  std::vector<RouterId> router_of_;                   ///< by index in the file
  std::vector<std::vector<unsigned>> latencies_;      ///< by router and port
  std::vector<std::vector<unsigned>> widths_;         ///< the same
  std::vector<std::vector<std::string>> port_names_;  ///< by router and port
  std::vector<std::uint16_t> distances_;              ///< by pair of nodes
  std::size_t links_ = 0, one_way_links_ = 0;
  std::uint64_t bisection_ = 0;
  std::uint32_t diameter_ = 0;
};

/// Whether the value of network.graph is GraphML itself, not the name of a file.
bool is_graphml(const std::string& value);

}  // namespace flitmend
