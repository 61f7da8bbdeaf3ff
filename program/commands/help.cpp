// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/nearest.h"
#include "program/commands/commands.h"

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

namespace {

/// Text of a page, so that man shows these characters and nothing else.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

std::string in_bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

/// "-h, --help", or "--out DIR".
std::string heading(const CLI::Option& option) {
  std::string text;
  if (option.get_positional()) return in_bold(option.get_name());
  for (const std::string& name : option.get_snames())
    text += (text.empty() ? "" : ", ") + in_bold("-" + name);
  for (const std::string& name : option.get_lnames())
    text += (text.empty() ? "" : ", ") + in_bold("--" + name);
  if (option.get_items_expected_max() > 0) text += " \\fI" + roff(option.get_type_name()) + "\\fR";
  return text;
}

void append_options(std::string& page, const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options())
    if (!option->get_group().empty())
      page += ".TP\n" + heading(*option) + "\n" + roff(option->get_description()) + "\n";
}

std::string synopsis(const CLI::App& app, const std::string& name, bool has_commands) {
  std::string text = in_bold(name);
  for (const CLI::Option* const option : app.get_options())
    if (option->get_positional() && !option->get_group().empty())
      text += " \\fI" + roff(option->get_name()) + "\\fR";
  return text + (has_commands ? " \\fICOMMAND\\fR" : "") + " [\\fIOPTIONS\\fR]";
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

void append_command(std::string& page, const CLI::App& app, const std::string& path) {
  const auto below = commands_of(app);
  page += ".SS " + roff(path) + "\n" + roff(app.get_description()) + "\n.PP\n" +
          synopsis(app, path, !below.empty()) + "\n";
  append_options(page, app);
  for (const CLI::App* const command : below)
    append_command(page, *command, path + " " + command->get_name());
}

// The comments of testbench/run_end.h. A folder of the installation is relative to its prefix.
constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
0
Success.
.TP
2
Bad usage or configuration; nothing was run.
.TP
3
A message duplicated or lost, a flit or credit not accounted for.
.TP
4
A deadlock was found, or can happen.
.TP
5
Could not finish: a limit, a signal, a full disk; what was written says so.
.TP
6
Freedom from deadlock not proved, livelock, or a pair without a route.
.TP
7
A study ran to its end, and a statement of it fails or is undecided.
.TP
8
A flow missed its bandwidth or latency target, and the run is strict.
.SH ENVIRONMENT
.TP
\fBFLITMEND_STUDIES\fR
The folder of the studies that \fBflitmend study\fR knows by name.
.SH FILES
.TP
\fI)" FLITMEND_DOC_FOLDER R"(\fR
README.md, and the folders docs and examples. A relative name is below the folder of the installation, which is
/usr for Debian's package.
.SH SEE ALSO
.BR gtkwave (1)
)";

}  // namespace

std::string manual_page(const CLI::App& program) {
  const std::string name = program.get_name();
  std::string page = ".TH FLITMEND 1 \"\" \"flitmend " FLITMEND_VERSION "\" \"User Commands\"\n.SH NAME\n" +
                     name + " \\- " + roff(program.get_description()) + "\n.SH SYNOPSIS\n" +
                     synopsis(program, name, true) + "\n.SH OPTIONS\n";
  append_options(page, program);
  page += ".SH COMMANDS\n";
  for (const CLI::App* const command : commands_of(program))
    append_command(page, *command, name + " " + command->get_name());
  return page + kEnd;
}

}  // namespace flitmend
