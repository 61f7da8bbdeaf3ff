// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/tools.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/table.h"
#include "base/text.h"
#include "exploration/paper_tables/paper_table.h"

namespace flitmend {
namespace {

struct PaperArguments {
  std::string name;
  bool list = false;
  bool json = false;
  RandomOptions random;
};

void print_list(std::ostream& out, bool json) {
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const PaperTableEntry& e : paper_tables().entries())
      list.push_back({{"name", e.name}, {"description", e.description}});
    out << list.dump(2) << '\n';
    return;
  }
  Table table{.columns = {{"name"}, {"published table"}}};
  for (const PaperTableEntry& e : paper_tables().entries())
    table.add({std::string(e.name), std::string(e.description)});
  out << table.text();
}

void print_text(std::ostream& out, const PaperTable& paper) {
  out << paper.title << '\n';
  for (const std::string& note : paper.notes) out << "  " << note << '\n';
  out << '\n';
  Table table{.columns = {{""},
                          {"printed", Table::right},
                          {"ours", Table::right},
                          {"difference", Table::right},
                          {"tolerance", Table::right},
                          {"verdict"}}};
  for (const PaperRow& row : paper.rows) {
    std::string verdict(to_string(row.verdict));
    if (!row.statement.empty()) verdict += ": " + row.statement;
    if (!row.reason.empty()) verdict += " (" + row.reason + ")";
    const auto difference = row.difference();
    table.add({row.label, row.printed ? with_decimals(*row.printed, row.decimals) : std::string("-"),
               with_decimals(row.ours, row.decimals + 3),
               difference ? with_decimals(*difference, row.decimals + 3) : std::string("-"),
               difference ? with_decimals(row.tolerance, row.decimals + 3) : std::string("-"), verdict});
  }
  out << table.text();
  out << formatted("\n%s: %d agree, %s, %d refuted, %d not reproduced, %d deviate\n",
                   counted(paper.rows.size(), "row"), paper.count(PaperVerdict::agrees),
                   counted(paper.count(PaperVerdict::misprint), "misprint"),
                   paper.count(PaperVerdict::refuted), paper.count(PaperVerdict::not_reproduced),
                   paper.count(PaperVerdict::deviates));
}

/// "not_reproduced"
std::string json_word(PaperVerdict verdict) {
  std::string word(to_string(verdict));
  std::ranges::replace(word, ' ', '_');
  return word;
}

void print_json(std::ostream& out, std::string_view name, const PaperTable& paper) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const PaperRow& row : paper.rows) {
    nlohmann::ordered_json r;
    r["label"] = row.label;
    if (row.printed)
      r["printed"] = *row.printed;
    else
      r["statement"] = row.statement;
    r["ours"] = row.ours;
    if (const auto difference = row.difference()) {
      r["difference"] = *difference;
      r["tolerance"] = row.tolerance;
    }
    r["verdict"] = json_word(row.verdict);
    if (!row.reason.empty()) r["reason"] = row.reason;
    rows.push_back(std::move(r));
  }
  nlohmann::ordered_json counts;
  for (const PaperVerdict verdict : kPaperVerdicts) counts[json_word(verdict)] = paper.count(verdict);
  const nlohmann::ordered_json object = {
      {"name", name}, {"title", paper.title}, {"notes", paper.notes}, {"counts", counts}, {"rows", rows}};
  out << object.dump(2) << '\n';
}

void run(const PaperArguments& arguments, Command& command) {
  if (arguments.list) {
    print_list(command.out, arguments.json);
    return;
  }
  const PaperTableEntry& entry = paper_tables().at(arguments.name);
  const PaperTable paper = entry.compute({arguments.random.seed, arguments.random.jobs});
  if (arguments.json)
    print_json(command.out, entry.name, paper);
  else
    print_text(command.out, paper);
}

}  // namespace

void add_paper(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand("paper", "Compare a published table with ours, row by row.");
  const auto arguments = std::make_shared<PaperArguments>();
  auto* name = tool->add_option("name", arguments->name, "Published table; see --list.");
  tool->add_flag("--list", arguments->list, "List the published tables.")->excludes(name);
  add_json_option(*tool, arguments->json);
  add_random_options(*tool, arguments->random);
  tool->callback([arguments, &command] {
    if (!arguments->list && arguments->name.empty())
      throw ConfigurationError("analyze paper: give the name of a published table, or --list");
    run(*arguments, command);
  });
}

}  // namespace flitmend
