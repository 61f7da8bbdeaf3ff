// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"
#include "program/reference/catalogue.h"
#include "program/reference/pages.h"
#include "program/terminal/wrapped_text.h"

namespace flitmend {
namespace {

struct ListArguments {
  std::string concern;
  bool json = false;
};

std::vector<std::string> concerns(const std::vector<CatalogueGroup>& groups) {
  std::vector<std::string> names;
  for (const CatalogueGroup& group : groups)
    if (std::find(names.begin(), names.end(), group.concern) == names.end()) names.push_back(group.concern);
  return names;
}

void print_text(std::ostream& out, const std::vector<CatalogueGroup>& groups) {
  const std::size_t width = output_columns(110);
  for (const CatalogueGroup& group : groups) {
    if (&group != &groups.front()) out << '\n';
    out << group.title << " (" << group.key << ")\n";
    std::size_t longest = 0;
    for (const CatalogueEntry& entry : group.entries) longest = std::max(longest, entry.name.size());
    const std::size_t indent = longest + 4;
    for (const CatalogueEntry& entry : group.entries) {
      out << "  " << entry.name << std::string(indent - 2 - entry.name.size(), ' ')
          << wrapped(entry.description, indent, width) << '\n';
      if (!entry.needs.empty())
        out << std::string(indent, ' ') << wrapped(group.needs_word + ": " + entry.needs, indent, width)
            << '\n';
    }
  }
}

/// What the recovery protocols need, next to what is published.
void print_comparison(std::ostream& out) {
  for (const Table& table : recovery_comparison()) out << '\n' << table.title << '\n' << table.text();
  out << '\n' << wrapped_lines(kComparisonNote, output_columns(0)) << '\n';
}

void print_json(std::ostream& out, const std::vector<CatalogueGroup>& groups) {
  auto list = nlohmann::ordered_json::array();
  for (const CatalogueGroup& group : groups)
    for (const CatalogueEntry& entry : group.entries) {
      nlohmann::ordered_json object = {{"concern", group.concern},
                                       {"key", group.key},
                                       {"name", entry.name},
                                       {"description", entry.description},
                                       {"needs", entry.needs}};
      object.update(entry.details);
      list.push_back(std::move(object));
    }
  out << list.dump(2) << '\n';
}

void run(const ListArguments& arguments, Command& command) {
  std::vector<CatalogueGroup> groups = catalogue();
  if (!arguments.concern.empty()) {
    const std::vector<std::string> known = concerns(groups);
    if (std::find(known.begin(), known.end(), arguments.concern) == known.end())
      throw ConfigurationError("list: unknown group '" + arguments.concern + "'" +
                               did_you_mean(arguments.concern, {known.begin(), known.end()}));
    std::erase_if(groups, [&](const CatalogueGroup& group) { return group.concern != arguments.concern; });
  }
  if (arguments.json)
    print_json(command.out, groups);
  else
    print_text(command.out, groups);
  if (arguments.concern == "recovery" && !arguments.json) print_comparison(command.out);
}

}  // namespace

void add_list(CLI::App& program, Command& command) {
  CLI::App* list = program.add_subcommand("list", "What a configuration can name, and what it needs.");
  const auto arguments = std::make_shared<ListArguments>();
  list->add_option("concern", arguments->concern, "What to list; default: all.")->type_name_fn([] {
    return "{" + joined(concerns(catalogue())) + "}";
  });
  list->add_flag("--json", arguments->json, "Print a JSON array of objects.");
  list->callback([arguments, &command] { run(*arguments, command); });
}

}  // namespace flitmend
