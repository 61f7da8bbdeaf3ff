// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "topologies/topology.h"

namespace flitmend {

/// Which node an address belongs to: every node has a range of the same size, in order.
class AddressMap {
 public:
  /// A place in a node's range.
  struct Place {
    NodeId node = 0;
    std::uint64_t local = 0;  ///< address within the range
    std::uint64_t left = 0;   ///< bytes from there to its end
  };

  AddressMap(std::uint64_t node_bytes, NodeId nodes) : node_bytes_(node_bytes), nodes_(nodes) {}

  /// None: no node has that address.
  std::optional<Place> find(std::uint64_t address) const {
    const std::uint64_t node = address / node_bytes_;
    if (node >= nodes_) return std::nullopt;
    const std::uint64_t local = address % node_bytes_;
    return Place{static_cast<NodeId>(node), local, node_bytes_ - local};
  }
  /// The address of a place.
  std::uint64_t address(NodeId node, std::uint64_t local) const { return node * node_bytes_ + local; }
  std::uint64_t node_bytes() const { return node_bytes_; }

 private:
  std::uint64_t node_bytes_;
  NodeId nodes_;
};

}  // namespace flitmend
