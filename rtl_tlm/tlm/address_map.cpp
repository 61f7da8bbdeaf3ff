// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/address_map.h"

#include <boost/format.hpp>

#include "base/errors.h"

namespace flitmend {
namespace {

std::string range_name(const AddressRange& range) {
  return (boost::format("%#x-%#x") % range.first % range.last).str();
}

void check_range(const AddressRange& range, NodeId nodes) {
  const auto refuse = [&](const std::string& why) {
    throw KeyError("tlm.address_map", range_name(range) + ": " + why);
  };
  if (range.first > range.last) refuse("the first address is above the last; exchange them");
  if (range.nodes.empty()) refuse("it has no node; name one");
  for (const NodeId node : range.nodes)
    if (node >= nodes)
      refuse("there is no node " + std::to_string(node) + "; the last is " + std::to_string(nodes - 1));
  if (range.nodes.size() > 1 && range.interleave == 0)
    refuse("several nodes share it; say with interleave how many bytes each has in turn");
}

}  // namespace

AddressMap::AddressMap(std::uint64_t node_bytes, NodeId nodes, std::vector<AddressRange> ranges,
                       std::optional<NodeId> default_target)
    : node_bytes_(node_bytes), nodes_(nodes), ranges_(std::move(ranges)), default_target_(default_target) {
  for (const AddressRange& range : ranges_) check_range(range, nodes);
  if (default_target_ && *default_target_ >= nodes)
    throw KeyError("tlm.default_target", "there is no node " + std::to_string(*default_target_) +
                                             "; the last is " + std::to_string(nodes - 1));
  std::sort(ranges_.begin(), ranges_.end(),
            [](const AddressRange& a, const AddressRange& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < ranges_.size(); ++i)
    if (ranges_[i].first <= ranges_[i - 1].last)
      throw KeyError("tlm.address_map", range_name(ranges_[i - 1]) + " and " + range_name(ranges_[i]) +
                                            " overlap; an address belongs to one range");
}

std::optional<AddressMap::Place> AddressMap::find_in_ranges(std::uint64_t address) const {
  const auto above =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](std::uint64_t a, const AddressRange& range) { return a < range.first; });
  const AddressRange* const below = above == ranges_.begin() ? nullptr : &*(above - 1);
  if (!below || address > below->last) {
    if (!default_target_) return std::nullopt;
    const std::uint64_t from = below ? below->last + 1 : 0;
    const std::uint64_t to = above == ranges_.end() ? ~std::uint64_t{0} : above->first - 1;
    return Place{*default_target_, address, std::max(to - address, to - address + 1), address - from};
  }
  const std::uint64_t offset = address - below->first;
  if (below->nodes.size() == 1)
    return Place{below->nodes[0], below->local + offset, below->last - address + 1, offset};
  const std::uint64_t block = offset / below->interleave, within = offset % below->interleave;
  return Place{below->nodes[block % below->nodes.size()],
               below->local + block / below->nodes.size() * below->interleave + within,
               std::min(below->interleave - within, below->last - address + 1), within};
}

}  // namespace flitmend
