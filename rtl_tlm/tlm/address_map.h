// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// Addresses of one node, or of several in turn.
struct AddressRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;        ///< inclusive
  std::vector<NodeId> nodes{};   ///< of several, consecutive blocks belong to one after the other
  std::uint64_t interleave = 0;  ///< bytes of a block, if there are several nodes
  std::uint64_t local = 0;       ///< address of the first byte within a node
};

/// Which node an address belongs to, and its address within that node.
class AddressMap {
 public:
  /// A place in a node's range.
  struct Place {
    NodeId node = 0;
    std::uint64_t local = 0;   ///< address within the node
    std::uint64_t left = 0;    ///< bytes from there on that follow each other in the node
    std::uint64_t before = 0;  ///< bytes before it that do
  };

  /// Without ranges every node has one of `node_bytes`, in order. Throws ConfigurationError if ranges
  /// overlap, or name a node that is not there.
  AddressMap(std::uint64_t node_bytes, NodeId nodes, std::vector<AddressRange> ranges = {},
             std::optional<NodeId> default_target = {});

  /// None: no node has that address.
  std::optional<Place> find(std::uint64_t address) const {
    if (!ranges_.empty()) return find_in_ranges(address);
    const std::uint64_t node = address / node_bytes_;
    if (node >= nodes_) return std::nullopt;
    const std::uint64_t local = address % node_bytes_;
    return Place{static_cast<NodeId>(node), local, node_bytes_ - local, local};
  }
  /// Calls f(first, last) for the addresses of a node's bytes `first` … `last`; with several nodes in a range
  /// for all of the range.
  template <class F>
  void for_each_region(NodeId node, std::uint64_t first, std::uint64_t last, F&& f) const {
    if (ranges_.empty()) {
      if (first < node_bytes_)
        f(node * node_bytes_ + first, node * node_bytes_ + std::min(last, node_bytes_ - 1));
      return;
    }
    if (default_target_ == node) f(first, last);
    for (const AddressRange& range : ranges_) {
      if (std::find(range.nodes.begin(), range.nodes.end(), node) == range.nodes.end()) continue;
      const std::uint64_t end = range.local + (range.last - range.first);
      if (range.nodes.size() > 1)
        f(range.first, range.last);
      else if (first <= end && last >= range.local)
        f(range.first + (std::max(first, range.local) - range.local),
          range.first + (std::min(last, end) - range.local));
    }
  }

 private:
  std::optional<Place> find_in_ranges(std::uint64_t address) const;

  std::uint64_t node_bytes_;
  NodeId nodes_;
  std::vector<AddressRange> ranges_;  ///< by first address
  std::optional<NodeId> default_target_;
};

}  // namespace flitmend
