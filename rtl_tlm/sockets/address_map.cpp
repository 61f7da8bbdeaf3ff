// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/address_map.h"

#include <limits>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();

std::string range_name(const AddressRange& range) {
  const std::string name = range.name.empty() ? "" : range.name + " ";
  return range.is_default ? name + "(default)" : name + formatted("%#x-%#x", range.first, range.last);
}

[[noreturn]] void refuse(const AddressRange& range, const std::string& why) {
  throw KeyError("tlm.address_map", range_name(range) + ": " + why);
}

/// Bytes from `address` to `last`; of all addresses one less, because their number does not fit.
std::uint64_t bytes_up_to(std::uint64_t last, std::uint64_t address) {
  return std::max(last - address, last - address + 1);
}

void check_nodes(const AddressRange& range, NodeId nodes) {
  if (range.nodes.empty()) refuse(range, "it has no node; name one");
  for (std::size_t i = 0; i < range.nodes.size(); ++i) {
    const NodeId node = range.nodes[i];
    if (node >= nodes) refuse(range, formatted("there is no node %1%; the last is %2%", node, nodes - 1));
    if (std::find(range.nodes.begin(), range.nodes.begin() + static_cast<std::ptrdiff_t>(i), node) !=
        range.nodes.begin() + static_cast<std::ptrdiff_t>(i))
      refuse(range, formatted("node %1% is named twice; name it once", node));
  }
}

void check_range(const AddressRange& range, NodeId nodes) {
  check_nodes(range, nodes);
  if (range.is_default) {
    if (range.nodes.size() > 1) refuse(range, "several nodes; name one");
    return;
  }
  if (range.first > range.last)
    refuse(range, "the range is empty, as its first address is above its last; exchange them");
  if (range.nodes.size() > 1 && range.interleave == 0)
    refuse(range, "several nodes share it; say with interleave how many bytes each has in turn");
  if (range.nodes.size() == 1 && range.interleave > 0)
    refuse(range, "interleave, but only one node; name several nodes, or remove interleave");
  if (range.interleave > 0 && (range.last - range.first) / range.interleave < range.nodes.size() - 1)
    refuse(
        range,
        "its blocks of interleave are too long for every node to have one; lower interleave, or name fewer "
        "nodes");
  if (range.last - range.first > kLastAddress - range.local)
    refuse(range, "local addresses would exceed 0xffffffffffffffff; lower local");
}

/// Two ranges of one name must have the same nodes, so that the name says which targets are meant.
void check_names(const std::vector<AddressRange>& ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!ranges[i].name.empty() && ranges[i].name == ranges[j].name && ranges[i].nodes != ranges[j].nodes)
        refuse(ranges[i], "a range at other nodes has that name too; give each its own");
}

}  // namespace

AddressMap::AddressMap(std::uint64_t node_bytes, NodeId nodes, std::vector<AddressRange> ranges)
    : node_bytes_(node_bytes), nodes_(nodes), mapped_(!ranges.empty()) {
  for (const AddressRange& range : ranges) check_range(range, nodes);
  check_names(ranges);
  if (mapped_) names_.resize(nodes);
  for (const AddressRange& range : ranges) {
    Mapped mapped{range, targets_of(range)};
    if (!range.is_default)
      ranges_.push_back(std::move(mapped));
    else if (default_)
      refuse(range, "there is another default target; keep one");
    else
      default_ = std::move(mapped);
  }
  if (mapped_) {
    first_target_.push_back(0);
    for (NodeId node = 0; node < nodes; ++node)
      first_target_.push_back(first_target_.back() + target_count(node));
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Mapped& a, const Mapped& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < ranges_.size(); ++i)
    if (ranges_[i].first <= ranges_[i - 1].last)
      throw KeyError("tlm.address_map", range_name(ranges_[i - 1]) + " and " + range_name(ranges_[i]) +
                                            " overlap; change one, as an address belongs to one range");
}

std::vector<AddressMap::Target> AddressMap::targets_of(const AddressRange& range) {
  std::vector<Target> targets;
  for (const NodeId node : range.nodes) {
    std::vector<std::string>& names = names_[node];
    const auto known = std::find(names.begin(), names.end(), range.name);
    targets.push_back({node, static_cast<unsigned>(known - names.begin())});
    if (known == names.end()) names.push_back(range.name);
  }
  return targets;
}

std::vector<AddressMap::Target> AddressMap::targets(const std::string& name) const {
  if (default_ && default_->name == name) return default_->targets;
  for (const Mapped& range : ranges_)
    if (range.name == name) return range.targets;
  return {};
}

unsigned AddressMap::target_count(NodeId node) const {
  return mapped_ ? std::max(1u, static_cast<unsigned>(names_[node].size())) : 1;
}

std::optional<std::uint64_t> AddressMap::address_of(const Target& target, std::uint64_t local) const {
  if (!mapped_)
    return target.node < nodes_ && target.number == 0 && local < node_bytes_
               ? std::optional(target.node * node_bytes_ + local)
               : std::nullopt;
  for (const Mapped& range : ranges_) {
    const auto at = std::find(range.targets.begin(), range.targets.end(), target);
    if (at == range.targets.end() || local < range.local) continue;
    const std::uint64_t offset = local - range.local, size = range.targets.size();
    if (offset > range.last - range.first) continue;  // so that nothing below exceeds an address
    if (size == 1) return range.first + offset;
    const auto turn = static_cast<std::uint64_t>(at - range.targets.begin());
    const std::uint64_t blocks = (range.last - range.first) / range.interleave + 1;
    const std::uint64_t block = offset / range.interleave;
    if (block > (blocks - 1) / size || block * size + turn >= blocks) continue;
    const std::uint64_t place = (block * size + turn) * range.interleave + offset % range.interleave;
    if (place <= range.last - range.first) return range.first + place;
  }
  if (!default_ || default_->targets[0] != target) return std::nullopt;
  const auto place = find(local);
  return place && Target{place->node, place->target} == target && place->local == local ? std::optional(local)
                                                                                        : std::nullopt;
}

std::optional<std::uint64_t> AddressMap::address_in(const std::string& range, std::uint64_t offset) const {
  for (const Mapped& mapped : ranges_)
    if (mapped.name == range && offset <= mapped.last - mapped.first) return mapped.first + offset;
  return std::nullopt;
}

std::optional<AddressMap::Place> AddressMap::find_in_ranges(std::uint64_t address) const {
  const auto above = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](std::uint64_t a, const Mapped& range) { return a < range.first; });
  const Mapped* const below = above == ranges_.begin() ? nullptr : &*(above - 1);
  if (!below || address > below->last) {
    if (!default_) return std::nullopt;
    const std::uint64_t from = below ? below->last + 1 : 0;
    const std::uint64_t to = above == ranges_.end() ? kLastAddress : above->first - 1;
    const Target& target = default_->targets[0];
    return Place{target.node, target.number, address, bytes_up_to(to, address), address - from};
  }
  const std::uint64_t offset = address - below->first;
  if (below->targets.size() == 1) {
    const Target& target = below->targets[0];
    return Place{target.node, target.number, below->local + offset, bytes_up_to(below->last, address),
                 offset};
  }
  const std::uint64_t block = offset / below->interleave, within = offset % below->interleave;
  const Target& target = below->targets[block % below->targets.size()];
  return Place{target.node, target.number,
               below->local + block / below->targets.size() * below->interleave + within,
               std::min(below->interleave - within, bytes_up_to(below->last, address)), within};
}

}  // namespace flitmend
