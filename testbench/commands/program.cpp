#include "testbench/commands/program.h"

#include <CLI/CLI.hpp>
#include <exception>

#include "base/errors.h"
#include "testbench/commands/analyze/analyze.h"
#include "testbench/commands/command.h"
#include "testbench/commands/list.h"
#include "testbench/commands/reference.h"

namespace flitmend {
namespace {

void add_commands(CLI::App& program, Command& command) {
  program.set_version_flag("--version", "flitmend " FLITMEND_VERSION, "Print the version and leave.");
  program.set_help_flag("-h,--help", "Print this help and leave.");
  program.require_subcommand(1);
  add_list(program, command);
  add_analyze(program, command);
  add_reference(program, command);
}

ExitStatus parse_and_run(CLI::App& program, Command& command, int argc, const char* const* argv) {
  try {
    program.parse(argc, argv);
    return command.status;
  } catch (const CLI::ParseError& e) {
    const int code = program.exit(e, command.out, command.err);
    return code == 0 ? ExitStatus::done : ExitStatus::bad_usage;
  } catch (const ConfigurationError& e) {
    command.err << "flitmend: " << e.what() << '\n';
    return ExitStatus::bad_usage;
  } catch (const ContractError& e) {
    command.err << "flitmend: " << e.what() << '\n';
    return ExitStatus::contract_broken;
  } catch (const WriteError& e) {
    command.err << "flitmend: " << e.what() << '\n';
    return ExitStatus::unfinished;
  } catch (const std::bad_alloc&) {
    command.err << "flitmend: out of memory\n";
    return ExitStatus::unfinished;
  } catch (const std::exception& e) {
    command.err << "flitmend: internal error: " << e.what() << '\n';
    return ExitStatus::contract_broken;
  }
}

}  // namespace

ExitStatus run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App program{"Networks-on-chip that lose routers and links and still deliver.", "flitmend"};
  Command command{out, err};
  add_commands(program, command);
  const ExitStatus status = parse_and_run(program, command, argc, argv);
  out.flush();
  if (!out) {
    err << "flitmend: cannot write standard output\n";
    return status == ExitStatus::done ? ExitStatus::unfinished : status;
  }
  return status;
}

}  // namespace flitmend
