// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/source_tables.h"

#include <mutex>
#include <utility>
#include <variant>

#include "protocols/routing/intermediate_nodes/masked_table.h"

namespace flitmend {

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
