// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/tools.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/kns_tolerance/combinations.h"
#include "analysis/kns_tolerance/limits.h"
#include "analysis/kns_tolerance/table_sizes.h"
#include "base/errors.h"
#include "base/table.h"
#include "base/text.h"
#include "program/terminal/terminal_line.h"
#include "protocols/routing/intermediate_nodes/masked_table.h"

namespace flitmend {
namespace {

struct KnsTablesArguments {
  std::int64_t k = 0;
  std::int64_t n = 0;
  std::vector<std::string> fault_names;
  std::optional<std::int64_t> faults;
  std::int64_t intermediates = 1;
  std::string policy = "minimal-first";
  std::string ties = "random";
  std::optional<std::int64_t> node;
  RandomOptions random;
  bool json = false;
  bool quiet = false;
};

/// "12:0": the link of router 12 in dimension 0.
KnsLink parse_link(const std::string& text) {
  KnsLink link{};
  const char* const end = text.data() + text.size();
  const auto node = std::from_chars(text.data(), end, link.node);
  if (node.ec == std::errc() && node.ptr != end && *node.ptr == ':') {
    const auto dimension = std::from_chars(node.ptr + 1, end, link.dimension);
    if (dimension.ec == std::errc() && dimension.ptr == end) return link;
  }
  throw ConfigurationError("fault '" + text + "' is not a link; write ROUTER:DIMENSION, like 12:0");
}

KnsFaults faults_of(const KnsShape& shape, const KnsTablesArguments& arguments) {
  KnsFaults faults(shape);
  for (const std::string& name : arguments.fault_names) faults.fail(parse_link(name));
  if (arguments.faults) {
    check_fault_count(shape, *arguments.faults);
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(*arguments.faults));
    RandomStream random(arguments.random.seed, RandomPurpose::static_faults);
    SubsetSampler().draw(shape.link_count(), numbers, random);
    for (const std::uint32_t number : numbers) faults.fail(shape.link(number));
  }
  return faults;
}

std::string list_text(const IntermediateList& list) {
  if (!list.reachable) return "unreachable";
  if (list.count == 0) return "plain path";
  return joined(list.intermediates(), " ");
}

/// The digits of a masked entry, highest dimension first; * for any digit.
std::string pattern_text(const KnsShape& shape, const TableFields& fields, const MaskedEntry& entry) {
  std::string text;
  const std::uint64_t digit_mask = (std::uint64_t{1} << fields.digit) - 1;
  for (unsigned i = shape.n(); i-- > 0;) {
    const bool cares = entry.mask >> (i * fields.digit) & digit_mask;
    text += (text.empty() ? "" : ".") +
            (cares ? std::to_string(entry.id >> (i * fields.digit) & digit_mask) : "*");
  }
  return (entry.equal ? "" : "not ") + text;
}

nlohmann::ordered_json summary_json(const TableSizeSummary& s, double nodes) {
  return {{"entries_max", s.largest.entries},
          {"entries_mean", static_cast<double>(s.total.entries) / nodes},
          {"bits_max", s.largest.bits},
          {"bits_mean", static_cast<double>(s.total.bits) / nodes}};
}

void print_sizes(Command& command, const IntermediateChooser& chooser, const KnsTablesArguments& arguments) {
  std::ostream& out = command.out;
  const KnsTableSizes sizes = [&] {
    TerminalSurvey terminal(command.terminal, arguments.quiet);
    return kns_table_sizes(chooser, arguments.random.jobs, &terminal);
  }();
  const auto nodes = static_cast<double>(chooser.faults().shape().node_count());
  if (arguments.json) {
    const nlohmann::ordered_json object = {{"linear", summary_json(sizes.linear, nodes)},
                                           {"destination", summary_json(sizes.destination, nodes)},
                                           {"masked", summary_json(sizes.masked, nodes)},
                                           {"pairs_unreachable", sizes.unreachable}};
    out << object.dump(2) << '\n';
    return;
  }
  Table table{.columns = {{"table"},
                          {"entries, largest", Table::right},
                          {"mean", Table::right},
                          {"bits, largest", Table::right},
                          {"mean", Table::right}}};
  const auto row = [&](const char* name, const TableSizeSummary& s) {
    table.add({name, std::to_string(s.largest.entries), formatted("%.2f", double(s.total.entries) / nodes),
               std::to_string(s.largest.bits), formatted("%.1f", double(s.total.bits) / nodes)});
  };
  row("linear", sizes.linear);
  row("by destination", sizes.destination);
  row("masked", sizes.masked);
  out << table.text();
  if (!sizes.unreachable) return;
  out << formatted("\n%s cannot be reached with %s.\n",
                   sizes.unreachable == chooser.faults().shape().pair_count()
                       ? "No router reaches another: " + counted(sizes.unreachable, "ordered pair")
                       : counted(sizes.unreachable, "ordered pair"),
                   counted(static_cast<std::uint64_t>(arguments.intermediates), "intermediate node"));
}

void print_node(Command& command, const IntermediateChooser& chooser, const KnsTablesArguments& arguments) {
  std::ostream& out = command.out;
  const KnsShape& shape = chooser.faults().shape();
  if (*arguments.node < 0 || *arguments.node >= shape.node_count())
    throw ConfigurationError(formatted("node %1% is not in %2%: routers are 0 … %3%", *arguments.node,
                                       shape.description(), shape.node_count() - 1));
  const MaskedTable masked(chooser, static_cast<std::uint32_t>(*arguments.node));
  const TableFields fields(shape, chooser.settings().max_intermediates);
  auto entries = nlohmann::ordered_json::array();
  Table table{.columns = {{"priority", Table::right}, {"destination"}, {"intermediates"}}};
  for (const MaskedEntry& entry : masked.entries()) {
    const std::string pattern = pattern_text(shape, fields, entry);
    table.add({std::to_string(entries.size() + 1), pattern, list_text(entry.list)});
    entries.push_back({{"destination", pattern},
                       {"reachable", entry.list.reachable},
                       {"intermediates", std::vector<std::uint32_t>(entry.list.intermediates().begin(),
                                                                    entry.list.intermediates().end())}});
  }
  if (arguments.json)
    out << nlohmann::ordered_json{{"node", *arguments.node}, {"masked", entries}}.dump(2) << '\n';
  else
    out << table.text();
}

}  // namespace

void add_kns_tables(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand("kns-tables", "Sizes of the routing tables of intermediate nodes.");
  const auto arguments = std::make_shared<KnsTablesArguments>();
  add_whole_number(*tool, "--k", arguments->k, "Routers per switch.")->required();
  add_whole_number(*tool, "--n", arguments->n, "Dimensions.")->required();
  tool->add_option("--fault", arguments->fault_names, "Faulty link ROUTER:DIMENSION; may be repeated.")
      ->type_name("ROUTER:DIMENSION")
      ->allow_extra_args(false);
  add_whole_number(*tool, "--faults", arguments->faults, "Add this many random faulty links.");
  add_whole_number(*tool, "--intermediates", arguments->intermediates, "Intermediate nodes allowed.",
                   Range<std::int64_t>{0, IntermediateList::kMaxIntermediates})
      ->capture_default_str();
  add_choice(*tool, "--policy", arguments->policy, intermediate_policies(), "Which chains are preferred.")
      ->capture_default_str();
  add_choice(*tool, "--ties", arguments->ties, intermediate_ties(),
             "Which of several equally good chains to take.")
      ->capture_default_str();
  add_whole_number(*tool, "--node", arguments->node,
                   "Print the masked table of this router instead of the sizes.");
  add_random_options(*tool, arguments->random);
  add_json_option(*tool, arguments->json);
  add_quiet(*tool, arguments->quiet);
  tool->callback([arguments, &command] {
    const KnsFaults faults = faults_of(KnsShape(arguments->k, arguments->n), *arguments);
    const IntermediateChooser chooser(
        faults, {static_cast<unsigned>(arguments->intermediates), intermediate_policy(arguments->policy),
                 intermediate_tie(arguments->ties), arguments->random.seed});
    (arguments->node ? print_node : print_sizes)(command, chooser, *arguments);
  });
}

}  // namespace flitmend
