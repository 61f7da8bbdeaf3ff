// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/tables.h"

#include <algorithm>
#include <bit>

namespace flitmend {

TableFields::TableFields(const KnsShape& shape, unsigned max_intermediates)
    : digit(static_cast<unsigned>(std::bit_width(shape.k() - 1))),
      address(shape.n() * digit),
      list(static_cast<unsigned>(std::bit_width(max_intermediates + 1)) + max_intermediates * address) {}

LinearTable::LinearTable(const IntermediateChooser& chooser, std::uint32_t source)
    : fields_(chooser.faults().shape(), chooser.settings().max_intermediates) {
  const std::uint32_t nodes = chooser.faults().shape().node_count();
  entries_.reserve(nodes);
  for (std::uint32_t d = 0; d < nodes; ++d) entries_.push_back(chooser.choose(source, d));
}

DestinationTable::DestinationTable(const IntermediateChooser& chooser, std::uint32_t source)
    : fields_(chooser.faults().shape(), chooser.settings().max_intermediates) {
  for (std::uint32_t d = 0; d < chooser.faults().shape().node_count(); ++d)
    if (const IntermediateChain chain = chooser.choose(source, d); !chain.plain())
      entries_.emplace_back(d, chain);
}

const IntermediateList& DestinationTable::lookup(std::uint32_t destination) const {
  static const IntermediateList plain;
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), destination,
                                   [](const auto& entry, std::uint32_t d) { return entry.first < d; });
  return at != entries_.end() && at->first == destination ? at->second : plain;
}

}  // namespace flitmend
