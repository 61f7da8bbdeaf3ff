// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// Addresses of a target at one node, or of targets at several nodes in turn. Ranges of the same name have
/// the same targets; every name has separate targets at its nodes, and ranges without a name share theirs.
struct AddressRange {
  std::string name{};
  std::uint64_t first = 0;
  std::uint64_t last = 0;        ///< inclusive
  bool is_default = false;       ///< all addresses that no range has; first and last mean nothing
  std::vector<NodeId> nodes{};   ///< of several, consecutive blocks belong to one after the other
  std::uint64_t interleave = 0;  ///< bytes of a block, if there are several nodes
  std::uint64_t local = 0;       ///< address of the first byte at its target
};

/// Which target an address belongs to, and its address there.
class AddressMap {
 public:
  /// One of the targets of a node, numbered from 0 in the order of the map.
  struct Target {
    NodeId node = 0;
    unsigned number = 0;
    friend bool operator==(const Target&, const Target&) = default;
  };
  /// A place in a target's range.
  struct Place {
    NodeId node = 0;
    unsigned target = 0;       ///< its number at the node
    std::uint64_t local = 0;   ///< address at the target
    std::uint64_t left = 0;    ///< contiguous bytes at the target from `local` on
    std::uint64_t before = 0;  ///< contiguous bytes at the target before `local`
  };

  /// Without ranges every node has a target with `node_bytes`, in order. Throws KeyError if ranges overlap,
  /// are empty, or name a node that is not there.
  AddressMap(std::uint64_t node_bytes, NodeId nodes, std::vector<AddressRange> ranges = {});

  /// None: no target has that address.
  std::optional<Place> find(std::uint64_t address) const {
    if (mapped_) return find_in_ranges(address);
    const std::uint64_t node = address / node_bytes_;
    if (node >= nodes_) return std::nullopt;
    const std::uint64_t local = address % node_bytes_;
    return Place{static_cast<NodeId>(node), 0, local, node_bytes_ - local, local};
  }
  /// The targets with a name, in the order of their range's nodes; none if the map has no such name.
  std::vector<Target> targets(const std::string& name) const;
  /// Targets that a node may have: at least 1.
  unsigned target_count(NodeId) const;
  /// Targets of all nodes, and the number of one of them among these.
  std::size_t all_targets() const { return mapped_ ? first_target_.back() : nodes_; }
  std::size_t index(NodeId node, unsigned target) const {
    return mapped_ ? first_target_[node] + target : node;
  }
  /// The name of a target; empty if it has none.
  std::string name(const Target& target) const {
    return mapped_ && target.number < names_[target.node].size() ? names_[target.node][target.number] : "";
  }
  /// An address of a target's byte `local`; none if no address leads there.
  std::optional<std::uint64_t> address_of(const Target&, std::uint64_t local) const;
  /// The address of byte `offset` of the first range with a name; none if it has no such byte.
  std::optional<std::uint64_t> address_in(const std::string& range, std::uint64_t offset) const;

  /// Calls f(first, last) for the addresses of a target's bytes `first` … `last`; with several nodes in a
  /// range for all of the range.
  template <class F>
  void for_each_region(const Target& target, std::uint64_t first, std::uint64_t last, F&& f) const {
    if (!mapped_) {
      if (first < node_bytes_)
        f(target.node * node_bytes_ + first, target.node * node_bytes_ + std::min(last, node_bytes_ - 1));
      return;
    }
    if (default_ && default_->targets[0] == target) f(first, last);
    for (const Mapped& range : ranges_) {
      if (std::find(range.targets.begin(), range.targets.end(), target) == range.targets.end()) continue;
      const std::uint64_t end = range.local + (range.last - range.first);
      if (range.targets.size() > 1)
        f(range.first, range.last);
      else if (first <= end && last >= range.local)
        f(range.first + (std::max(first, range.local) - range.local),
          range.first + (std::min(last, end) - range.local));
    }
  }

 private:
  struct Mapped : AddressRange {
    std::vector<Target> targets{};  ///< by the order of nodes
  };
  std::optional<Place> find_in_ranges(std::uint64_t address) const;
  std::vector<Target> targets_of(const AddressRange&);

  std::uint64_t node_bytes_;
  NodeId nodes_;
  bool mapped_;
  std::vector<Mapped> ranges_;  ///< by first address
  std::optional<Mapped> default_;
  std::vector<std::vector<std::string>> names_;  ///< by node and number of the target; empty without ranges
  std::vector<std::size_t>
      first_target_;  ///< by node: index of its first target; at the end how many there are
};

}  // namespace flitmend
