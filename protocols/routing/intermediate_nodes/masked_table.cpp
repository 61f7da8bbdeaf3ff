// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/masked_table.h"

#include "base/errors.h"
#include "protocols/routing/intermediate_nodes/masked_table_builder.h"

namespace flitmend {

MaskedTable::MaskedTable(const IntermediateChooser& chooser, std::uint32_t source)
    : shape_(chooser.faults().shape()), fields_(shape_, chooser.settings().max_intermediates) {
  MaskedTableBuilder builder(chooser, source);
  for (const MaskedRule& rule : builder.build()) {
    MaskedEntry entry{address(rule.cell.id), 0, rule.equal, rule.list};
    for (unsigned i = 0; i < shape_.n(); ++i)
      if (rule.cell.dimensions >> i & 1)
        entry.mask |= ((std::uint64_t{1} << fields_.digit) - 1) << (i * fields_.digit);
    entries_.push_back(entry);
  }
}

std::uint64_t MaskedTable::address(std::uint32_t router) const {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < shape_.n(); ++i)
    bits |= std::uint64_t{shape_.digit(router, i)} << (i * fields_.digit);
  return bits;
}

const IntermediateList& MaskedTable::lookup(std::uint32_t destination) const {
  static const IntermediateList plain;
  const std::uint64_t wanted = address(destination);
  for (const MaskedEntry& entry : entries_)
    if (entry.hits(wanted)) return entry.list;
  return plain;
}

}  // namespace flitmend
