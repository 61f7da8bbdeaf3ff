// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/printed_table.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/paper_tables/printed_tables.h"
#include "exploration/sweeps/axis.h"
#include "exploration/sweeps/file_keys.h"

namespace flitmend {
namespace {

const Json& all_tables() {
  static const Json tables =
      json_of(read_document(std::string(assets::printed_tables), "printed-tables.yaml"));
  return tables;
}

std::string filled_in(std::string text, const std::vector<std::string>& computed) {
  for (std::size_t i = 0; i < computed.size(); ++i)
    boost::replace_all(text, formatted("%%%1%%%", i + 1), computed[i]);
  return text;
}

}  // namespace

PrintedTable::PrintedTable(const char* name) : table_(all_tables().at(name)) {
  for (const Json& cells : table_.value("rows", Json::array())) {
    Json& row = rows_.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (!cells[i].is_null()) row[table_["columns"][i].get<std::string>()] = cells[i];
  }
}

PaperTable PrintedTable::begin(const std::vector<std::string>& computed) const {
  PaperTable table;
  table.title = table_.at("title").get<std::string>();
  for (const Json& note : table_.value("notes", Json::array()))
    table.notes.push_back(filled_in(note.get<std::string>(), computed));
  return table;
}

PaperRow PrintedTable::judged(PaperRow row, const std::vector<std::string>& computed) const {
  const Json* const known = misprint(row.label);
  if (!known) return row;
  return std::move(row).or_misprint_of(known->at("meant").get<double>(),
                                       filled_in(known->at("reason").get<std::string>(), computed));
}

std::optional<double> PrintedTable::meant(const std::string& label) const {
  const Json* const known = misprint(label);
  return known ? std::optional(known->at("meant").get<double>()) : std::nullopt;
}

const Json* PrintedTable::misprint(const std::string& label) const {
  const auto list = table_.find("misprints");
  if (list == table_.end()) return nullptr;
  const auto found = std::find_if(list->begin(), list->end(),
                                  [&](const Json& misprint) { return misprint.at("row") == label; });
  return found == list->end() ? nullptr : &*found;
}

}  // namespace flitmend
