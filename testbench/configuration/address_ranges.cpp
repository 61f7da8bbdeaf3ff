// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/address_ranges.h"

#include "base/errors.h"
#include "testbench/traffic/node_names.h"

namespace flitmend {

std::vector<AddressRange> address_ranges(const std::vector<AddressMapEntry>& entries,
                                         const Topology& topology) {
  std::vector<AddressRange> ranges;
  for (const AddressMapEntry& entry : entries) {
    AddressRange range{.name = entry.name,
                       .first = entry.first,
                       .last = entry.last,
                       .is_default = entry.is_default,
                       .interleave = entry.interleave,
                       .local = entry.local};
    for (const NodeName& name : entry.nodes) {
      const auto node = find_node(name, topology);
      if (!node) throw KeyError("tlm.address_map", no_such_node(name, topology));
      range.nodes.push_back(*node);
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace flitmend
