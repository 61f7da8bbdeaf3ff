// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/nearest.h"

namespace flitmend {
namespace {

void print_help(const CLI::App& program, const std::vector<std::string>& words, Command& command) {
  const CLI::App* level = &program;
  std::string name = program.get_name();
  for (const std::string& word : words) {
    std::vector<std::string_view> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* below : level->get_subcommands([](const CLI::App*) { return true; })) {
      if (below->get_name() == word) next = below;
      if (!below->get_group().empty()) names.push_back(below->get_name());
    }
    if (!next)
      throw ConfigurationError(
          "help: " + (names.empty() ? level->get_name() + " has no commands"
                                    : "unknown command '" + word + "'" + did_you_mean(word, names)));
    level = next;
    name += " " + word;
  }
  // Not level->help(): that of the program is the help of the command that it runs, which is this one.
  command.out << level->get_formatter()->make_help(level, name, CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help(CLI::App& program, Command& command) {
  CLI::App* help = program.add_subcommand("help", "Print the help of flitmend, or of one of its commands.");
  const auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "The command, like run, or analyze paper.");
  help->callback([&program, words, &command] { print_help(program, *words, command); });
}

}  // namespace flitmend
