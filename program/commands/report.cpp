// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/escaped_text.h"
#include "exploration/report/page.h"
#include "program/commands/checked_options.h"

namespace flitmend {
namespace {

struct Options {
  std::filesystem::path folder;
  std::filesystem::path output;  ///< empty: report.html in the folder; "-": standard output
};

/// Whether an existing file may be overwritten: one with the name of a page, or that begins like one. A link
/// counts as its target.
bool is_page(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(file, error);
  if (target.extension() == ".html" || target.extension() == ".htm") return true;
  constexpr std::string_view kBegin = "<!doctype html>";
  std::string begin(kBegin.size(), ' ');
  std::ifstream in(target, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kBegin;
}

/// Throws ConfigurationError if no file can be created there.
void check_output(const std::filesystem::path& output) {
  const auto refuse = [&](const std::string& why) {
    throw ConfigurationError("cannot write " + output.string() + ": " + why +
                             "; choose another file with -o");
  };
  std::error_code error;
  if (std::filesystem::is_directory(output, error)) refuse("it is a folder");
  const std::filesystem::path parent = output.has_parent_path() ? output.parent_path() : ".";
  if (!std::filesystem::is_directory(parent, error)) refuse("there is no folder " + parent.string());
  const bool beside =
      !std::filesystem::exists(output, error) || std::filesystem::is_regular_file(output, error);
  if (std::filesystem::is_regular_file(output, error) && !is_page(output))
    refuse("the file exists and is not a report of flitmend");
  if (access(beside ? parent.c_str() : output.c_str(), W_OK) != 0)
    refuse(std::generic_category().message(errno));
}

void run(const Options& options, Command& command) {
  const std::filesystem::path output =
      options.output.empty() ? options.folder / "report.html" : options.output;
  const std::string html = report_html(options.folder, plotting_library());
  if (output == "-") {
    (isatty(STDOUT_FILENO) ? command.out : command.document) << html;
    return;
  }
  check_output(output);
  write_checked(output, html);
  command.out << escaped_text(output.string()) << '\n';
}

}  // namespace

void add_report(CLI::App& program, Command& command) {
  const auto options = std::make_shared<Options>();
  CLI::App* sub = program.add_subcommand(
      "report", "Write an HTML file with pictures and tables about a run, a sweep or a study.");
  sub->add_option("DIR", options->folder, "Folder that flitmend run, sweep or study wrote to (--out).")
      ->required();
  sub->add_option("-o,--output", options->output,
                  "File to write, - for standard output; default: DIR/report.html.")
      ->type_name("FILE")
      ->check(output_name());
  sub->callback([options, &command] { run(*options, command); });
}

}  // namespace flitmend
