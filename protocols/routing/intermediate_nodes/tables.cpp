// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/tables.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>
#include <variant>

#include "protocols/routing/intermediate_nodes/masked_table.h"

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

struct SourceTables::Table {
  std::once_flag computed;
  std::variant<std::monostate, LinearTable, DestinationTable, MaskedTable> entries;
};

SourceTables::SourceTables(KnsFaults faults, const IntermediateSettings& settings, IntermediateTableForm form)
    : faults_(std::move(faults)),
      chooser_(faults_, settings),
      form_(form),
      tables_(std::make_unique<Table[]>(faults_.shape().node_count())) {}

SourceTables::~SourceTables() = default;

const SourceTables::Table& SourceTables::table(std::uint32_t source) const {
  Table& table = tables_[source];
  std::call_once(table.computed, [&] {
    switch (form_) {
      case IntermediateTableForm::linear:
        table.entries.emplace<LinearTable>(chooser_, source);
        break;
      case IntermediateTableForm::by_destination:
        table.entries.emplace<DestinationTable>(chooser_, source);
        break;
      case IntermediateTableForm::masked:
        table.entries.emplace<MaskedTable>(chooser_, source);
        break;
    }
  });
  return table;
}

const IntermediateList& SourceTables::lookup(std::uint32_t source, std::uint32_t destination) const {
  const Table& found = table(source);
  switch (form_) {
    case IntermediateTableForm::linear:
      return std::get<LinearTable>(found.entries).lookup(destination);
    case IntermediateTableForm::by_destination:
      return std::get<DestinationTable>(found.entries).lookup(destination);
    case IntermediateTableForm::masked:
      break;
  }
  return std::get<MaskedTable>(found.entries).lookup(destination);
}

TableSize SourceTables::size() const {
  TableSize sum;
  for (std::uint32_t source = 0; source < faults_.shape().node_count(); ++source) {
    const Table& each = table(source);
    TableSize size;
    if (const auto* const linear = std::get_if<LinearTable>(&each.entries))
      size = linear->size();
    else if (const auto* const by_destination = std::get_if<DestinationTable>(&each.entries))
      size = by_destination->size();
    else
      size = std::get<MaskedTable>(each.entries).size();
    sum.entries += size.entries;
    sum.bits += size.bits;
  }
  return sum;
}

}  // namespace flitmend
