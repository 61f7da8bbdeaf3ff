// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/paper_table.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/paper_tables/printed_tables.h"
#include "exploration/paper_tables/tables.h"
#include "exploration/sweeps/axis.h"
#include "exploration/sweeps/file_keys.h"

namespace flitmend {
namespace {

/// A value exactly between two printable ones may round either way.
constexpr double kRoundingSlack = 1e-9;

bool within(double ours, double reference, double tolerance) {
  return std::abs(ours - reference) <= tolerance * (1 + kRoundingSlack);
}

}  // namespace

std::string_view to_string(PaperVerdict verdict) {
  switch (verdict) {
    case PaperVerdict::agrees:
      return "agrees";
    case PaperVerdict::misprint:
      return "misprint";
    case PaperVerdict::refuted:
      return "refuted";
    case PaperVerdict::not_reproduced:
      return "not reproduced";
    default:
      return "deviates";
  }
}

std::optional<double> PaperRow::difference() const {
  if (!printed) return std::nullopt;
  return ours - *printed;
}

PaperRow PaperRow::decided(bool decides, PaperVerdict as, std::string why) && {
  if (verdict == PaperVerdict::deviates && decides) {
    verdict = as;
    reason = std::move(why);
  }
  return std::move(*this);
}

PaperRow PaperRow::or_misprint_of(double meant, std::string why) && {
  return std::move(*this).decided(within(ours, meant, tolerance), PaperVerdict::misprint, std::move(why));
}

PaperRow PaperRow::or_refuted_by(double witness, double witness_tolerance, std::string why) && {
  return std::move(*this).or_refuted_if(within(ours, witness, witness_tolerance), std::move(why));
}

PaperRow PaperRow::or_refuted_if(bool witness_denies, std::string why) && {
  return std::move(*this).decided(witness_denies, PaperVerdict::refuted, std::move(why));
}

PaperRow PaperRow::or_not_reproduced(std::string why) && {
  return std::move(*this).decided(true, PaperVerdict::not_reproduced, std::move(why));
}

PaperRow PaperRow::note(const std::string& text) && {
  if (!reason.empty()) reason += "; ";
  reason += text;
  return std::move(*this);
}

PaperRow compare_measured(std::string label, double printed, int decimals, double ours, double tolerance) {
  PaperRow row;
  row.label = std::move(label);
  row.printed = printed;
  row.decimals = decimals;
  row.ours = ours;
  row.tolerance = tolerance;
  row.verdict = within(ours, printed, tolerance) ? PaperVerdict::agrees : PaperVerdict::deviates;
  return row;
}

PaperRow compare_digits(std::string label, double printed, int decimals, double ours) {
  return compare_measured(std::move(label), printed, decimals, ours, 0.5 * std::pow(10.0, -decimals));
}

PaperRow judge_statement(std::string label, std::string statement, double ours, bool holds) {
  PaperRow row;
  row.label = std::move(label);
  row.statement = std::move(statement);
  row.ours = ours;
  row.verdict = holds ? PaperVerdict::agrees : PaperVerdict::deviates;
  return row;
}

std::size_t PaperTable::count(PaperVerdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const PaperRow& r) { return r.verdict == verdict; }));
}

const Registry<PaperTableEntry>& paper_tables() {
  static const Registry<PaperTableEntry> tables(
      "published table",
      {
          // One line per table.
          {"fault-rings-table-2", "P_hit in n-dimensional meshes with a fault region", &fault_rings_table_2},
          {"probability-vectors-table-1", "faulty sets and vectors of the 3-ary 3-cube",
           &probability_vectors_table_1},
          {"probability-vectors-table-2", "minimum-distance routing in the 8-ary 3-cube, by distance",
           &probability_vectors_table_2},
          {"probability-vectors-table-3", "mean routing distance for k = 3, 5, 7, 9",
           &probability_vectors_table_3},
          {"probability-vectors-figure-2", "minimum-distance routing against faulty nodes",
           &probability_vectors_figure_2},
          {"probability-vectors-figure-3", "deviation, unreachability, looping in the 3-ary 3-cube",
           &probability_vectors_figure_3},
          {"probability-vectors-figure-4", "deviation, unreachability and looping against k",
           &probability_vectors_figure_4},
          {"kns-table-1a", "pairs that use intermediate nodes, 32-ary 2-direct 1-indirect", &kns_table_1a},
          {"kns-table-1b", "pairs that use intermediate nodes, 10-ary 3-direct 1-indirect", &kns_table_1b},
          {"kns-figure-5", "tolerated combinations of faults, 32-ary 2-direct 1-indirect", &kns_figure_5},
          {"kns-figure-6", "tolerated combinations of faults, 10-ary 3-direct 1-indirect", &kns_figure_6},
          {"kns-lemmas", "faults that one and two intermediate nodes always tolerate", &kns_lemmas},
          {"kary-ncube-model-figure-3", "latency of Software-Based routing by the queueing model",
           &kary_ncube_model_figure_3},
      });
  return tables;
}

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
