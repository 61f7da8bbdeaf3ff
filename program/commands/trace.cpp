// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "base/text.h"
#include "program/commands/checked_options.h"
#include "program/commands/commands.h"
#include "traces/messages/trace_conversion.h"

namespace flitmend {
namespace {

struct TraceOptions {
  std::string from, to, mapping;
  bool sort = false;
};

void convert(const TraceOptions& options, Command& command) {
  const NodeMapping mapping = options.mapping.empty() ? NodeMapping() : NodeMapping(options.mapping);
  const std::uint64_t messages = convert_trace(options.from, options.to, mapping, options.sort);
  command.out << counted(messages, "message") << " in " << options.to << '\n';
}

}  // namespace

void add_trace(CLI::App& program, Command& command) {
  const auto options = std::make_shared<TraceOptions>();
  CLI::App* trace = program.add_subcommand(
      "trace",
      "Convert a trace: Netrace to messages in CSV or back, or the messages.csv of a run to a trace.");
  trace
      ->add_option("FROM", options->from,
                   "The file to read: CSV if its name ends in .csv, .csv.gz or .csv.xz, else Netrace.")
      ->required();
  trace->add_option("TO", options->to, "The file to write: CSV if its name ends in .csv, else Netrace.")
      ->required()
      ->check(output_name());
  trace->add_flag("--sort", options->sort,
                  "Sort the lines of a CSV trace by their cycles, each after those that it waits for.");
  trace->add_option("--mapping", options->mapping, "CSV file with new numbers of nodes: lines from,to.")
      ->type_name("FILE");
  trace->callback([options, &command] { convert(*options, command); });
}

}  // namespace flitmend
