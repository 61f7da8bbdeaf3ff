// SPDX-License-Identifier: Apache-2.0
#include "program/program.h"

#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <systemc>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/nearest.h"
#include "base/text.h"
#include "program/commands/commands.h"
#include "program/terminal/escaped_output.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

/// What SystemC and the models report.
void handle(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  switch (report.get_severity()) {
    case sc_core::SC_INFO:
      return;
    case sc_core::SC_WARNING:
      std::cerr << "flitmend: warning: "
                << escaped_text(std::string(report.get_msg_type()) + ": " + report.get_msg()) << '\n';
      return;
    default:
      sc_core::sc_report_handler::default_handler(report, sc_core::SC_THROW);
  }
}

void add_commands(CLI::App& program, Command& command) {
  program.set_version_flag("--version", "flitmend " FLITMEND_VERSION, "Print the version and exit.");
  program.set_help_flag("-h,--help", "Print this help and exit.");
  program.require_subcommand(1);
  add_help(program, command);
  add_check(program, command);
  add_run(program, command);
  add_trace(program, command);
  add_map(program, command);
  add_sweep(program, command);
  add_sweep_task(program, command);
  add_study(program, command);
  add_campaign(program, command);
  add_report(program, command);
  add_rtl(program, command);
  add_list(program, command);
  add_analyze(program, command);
  add_completion(program, command);
  add_reference(program, command);
}

/// The command that the arguments name, as far as it exists.
const CLI::App& named_command(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* level = &program;
  for (int i = 1; i < argc; ++i) {
    const auto named = level->get_subcommands([&](const CLI::App* c) { return c->get_name() == argv[i]; });
    if (!named.empty()) level = named.front();
  }
  return *level;
}

/// "flitmend analyze paper"
std::string command_words(const CLI::App& command) {
  return (command.get_parent() ? command_words(*command.get_parent()) + " " : "") + command.get_name();
}

/// Error for the first word in place of a command that is not one; "" if there is none.
std::string unknown_command(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* level = &program;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::vector<const CLI::App*> commands =
        level->get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
    if (commands.empty()) return "";
    if (word.starts_with('-')) continue;
    std::vector<std::string_view> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : commands) {
      names.push_back(command->get_name());
      if (command->get_name() == word) next = command;
    }
    if (next) {
      level = next;
      path += word + " ";
      continue;
    }
    return "unknown command '" + path + word + "'" + did_you_mean(word, names);
  }
  return "";
}

/// Error for an argument that the command does not have: an option by another name, or the value of a flag.
/// "" if it is neither.
std::string unexpected(const CLI::App& command, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], name = word.substr(0, word.find('='));
    if (word == "--") break;
    if (!word.starts_with("--") || std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string_view meant = nearest(name, {names.begin(), names.end()});
    return "unknown option " + name + (meant.empty() ? "" : " (did you mean " + std::string(meant) + "?)");
  }
  if (std::find(names.begin(), names.end(), "--waves") == names.end()) return "";
  for (int i = 1; i + 1 < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string word = argv[i + 1];
    std::error_code none;
    if (std::string_view(argv[i]) == "--waves" && !word.starts_with('-') &&
        !std::filesystem::exists(word, none))
      return "a glob is part of the option: write --waves='" + word + "'";
  }
  return "";
}

/// The parser's error, reworded if it is hard to understand, such as "--k: 1 required N missing".
std::string parser_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  if (text == "A subcommand is required") return "a command is missing";
  const std::size_t colon = text.find(": ");
  if (colon != std::string::npos && text.ends_with(" missing") &&
      text.find(" required ") != std::string::npos)
    return text.substr(0, colon) + ": its value is missing";
  if (colon != std::string::npos && text.find(": At Most 1 required ") == colon)
    return text.substr(0, colon) + ": given more than once";
  return text;
}

/// Whether standard output is a pipe whose reader has ended, as head does after its lines.
bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// The line without its middle if it is too long because it quotes a long value: the message about the value
/// is at its beginning and end.
std::string shortened(const std::string& line) {
  constexpr std::size_t kLongest = 1200, kFirst = 700, kLast = 400;
  if (line.size() <= kLongest) return line;
  const auto boundary = [&](std::size_t at) {  // of two characters
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) ++at;
    return at;
  };
  const std::size_t first = boundary(kFirst), last = boundary(line.size() - kLast);
  return formatted("%1% … (%2% bytes left out) … %3%", line.substr(0, first), last - first,
                   line.substr(last));
}

/// In messages of several lines, each line starts with the program's name.
ExitStatus fail(Command& command, ExitStatus status, const std::string& message) {
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);)
    command.err << "flitmend: " << shortened(escaped_text(line)) << '\n';
  return status;
}

ExitStatus parse_and_run(CLI::App& program, Command& command, int argc, const char* const* argv) {
  try {
    program.parse(argc, argv);
    return command.status;
  } catch (const CLI::Success& e) {  // --help, --version
    program.exit(e, command.out, command.err);
    return ExitStatus::done;
  } catch (const CLI::ParseError& e) {
    const CLI::App& named = named_command(program, argc, argv);
    std::string what = unknown_command(program, argc, argv);
    if (what.empty() && dynamic_cast<const CLI::ExtrasError*>(&e)) what = unexpected(named, argc, argv);
    if (what.empty()) what = parser_text(e);
    if (argc < 2) what += "; flitmend run CONFIG.yaml simulates a network";
    return fail(command, ExitStatus::bad_usage, what + "; see " + command_words(named) + " --help");
  } catch (const ConfigurationError& e) {
    return fail(command, ExitStatus::bad_usage, e.what());
  } catch (const ContractError& e) {
    return fail(command, ExitStatus::contract_broken, e.what());
  } catch (const sc_core::sc_report& e) {
    if (out_of_memory(e))
      return fail(command, ExitStatus::unfinished,
                  std::string("out of memory during the run; there is no result. ") + kMemoryRemedy);
    return fail(command, ExitStatus::contract_broken, std::string(e.get_msg_type()) + ": " + e.get_msg());
  } catch (const WriteError& e) {
    return fail(command, ExitStatus::unfinished, e.what());
  } catch (const Interrupted& e) {
    return fail(command, ExitStatus::unfinished, e.what());
  } catch (const std::bad_alloc&) {
    return fail(command, ExitStatus::unfinished,
                "out of memory; use a smaller network, fewer virtual channels or smaller buffers");
  } catch (const std::exception& e) {
    return fail(command, ExitStatus::contract_broken, std::string("internal error: ") + e.what());
  }
}

}  // namespace

ExitStatus run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App program{"Cycle-accurate simulation of networks-on-chip in SystemC and TLM-2.0.", "flitmend"};
  EscapedOutput shown(out), messages(err);
  Command command{shown, messages, out, err};
  add_commands(program, command);
  const ExitStatus status = parse_and_run(program, command, argc, argv);
  messages.flush();
  shown.flush();
  if (!out && !reader_is_gone()) {
    err << "flitmend: cannot write standard output\n";
    return status == ExitStatus::done ? ExitStatus::unfinished : status;
  }
  return status;
}

void install_report_handler() {
  sc_core::sc_report_handler::set_handler(handle);
}

}  // namespace flitmend
