// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"
#include "exploration/report/deadlock_picture.h"
#include "program/commands/checked_options.h"
#include "program/commands/configuration_options.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"
#include "program/terminal/wrapped_text.h"
#include "protocols/deadlock/graphviz.h"
#include "testbench/checks/fault_changes_check.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/checks/transaction_check.h"
#include "testbench/checks/validation.h"
#include "testbench/checks/verdict_cache.h"
#include "testbench/configuration/unused_keys.h"
#include "testbench/simulation.h"
#include "testbench/traffic/classes.h"
#include "topologies/registry.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

/// On a terminal, in lines of its width.
void print(Command& command, const std::string& text) {
  command.out << wrapped_lines(text, output_columns(0));
}

struct CheckOptions {
  ConfigurationOptions configuration;
  std::string faults;   ///< kind of fault sets; empty: none
  std::string graph;    ///< file for what was found, in the language of Graphviz; empty: none
  std::string picture;  ///< likewise, drawn on the map of the network
  bool no_cache = false;
  bool quiet = false;
  bool json = false;

  VerdictCache cache() const { return no_cache ? VerdictCache() : VerdictCache::of_user(); }
};

/// Everything that a check says of a configuration.
struct Verdicts {
  DeadlockCheck network;      ///< without faults
  std::string faults;         ///< what changes with faults: lines of text; empty without faults
  FaultChangesCheck changes;  ///< of the set of faults
  std::optional<DeadlockCheck> transactions;

  /// That of the network, if it is not free; else the first one that is not done.
  ExitStatus status() const {
    if (network.status != ExitStatus::done) return network.status;
    if (changes.check.status != ExitStatus::done) return changes.check.status;
    return transactions ? transactions->status : ExitStatus::done;
  }
};

nlohmann::ordered_json to_json(const DeadlockCheck& check) {
  return {{"status", to_int(check.status)}, {"verdict", check.verdict}, {"details", check.details}};
}

void print_json(Command& command, const Verdicts& verdicts) {
  nlohmann::ordered_json all = {{"status", to_int(verdicts.status())},
                                {"network", to_json(verdicts.network)}};
  if (!verdicts.faults.empty()) all["faults"] = verdicts.faults;
  if (verdicts.changes.answer != FaultChangeAnswer::none) {
    all["fault_changes"] = {{"answer", to_string(verdicts.changes.answer)}};
    all["fault_changes"].update(to_json(verdicts.changes.check));
  }
  if (verdicts.transactions) all["transactions"] = to_json(*verdicts.transactions);
  command.out << all.dump(2) << '\n';
}

/// Checks the globs of waves against the names of the hardware, which has to be built for this.
void check_globs(const Configuration& c, const CheckOptions& options, Command& command) {
  if (!c.waves.enabled || c.waves.scope.empty()) return;
  const BusyLine busy(command.terminal, shows_progress(options.quiet), "building the network");
  // Left to the end of the process, because the kernel takes a long time to destroy a large network.
  [[maybe_unused]] static Simulation* volatile left;
  Simulation* const simulation = new Simulation(c);
  left = simulation;
  FabricWaves(simulation->fabric()).check(c.waves);
}

/// Says on a terminal that the verdict is an earlier one.
void note_cache(const DeadlockCheck& check, const CheckOptions& options, Command& command) {
  if (check.from_cache && shows_progress(options.quiet))
    command.err
        << "flitmend: an earlier check of the same network has proved this; --no-cache proves it again\n";
}

/// Transactions with the settings of section tlm, as NetworkOnChip judges them. `flitmend run` does
/// not use the section, so this is a remark and not an error.
DeadlockCheck check_platform(Configuration c, const CheckOptions& options, Command& command) {
  try {
    settle_platform(c);
    validate_platform(c);
    const InterruptGuard interrupt;
    TerminalProof progress(command.terminal, options.quiet, interrupt);
    return check_transactions(c, &progress, options.cache());
  } catch (const ConfigurationError& e) {
    const auto* const key = dynamic_cast<const KeyError*>(&e);
    return {.verdict = "transactions: NetworkOnChip refuses this configuration: " +
                       escaped_text(key ? c.located(*key).what() : e.what()) +
                       " (flitmend run does not use section tlm)",
            .details = ""};
  }
}

void check_outputs(const Configuration& c, const CheckOptions& options) {
  options.configuration.refuse_as_output("--graph", options.graph, c);
  options.configuration.refuse_as_output("--picture", options.picture, c);
  const auto place = [](const std::string& file) { return std::filesystem::weakly_canonical(file); };
  if (!options.graph.empty() && !options.picture.empty() && place(options.graph) == place(options.picture))
    throw ConfigurationError("--picture " + options.picture +
                             " would overwrite what --graph writes; name "
                             "another file");
}

void refuse_large_picture(const Configuration& c, const CheckOptions& options) {
  if (options.picture.empty()) return;
  const std::uint64_t channels = make_topology(c.network)->channel_count();
  if (channels > kMostPicturedChannels)
    throw ConfigurationError(
        formatted("--picture: the network has %1% channels, and a picture can show %2%; check a smaller "
                  "network of this kind",
                  channels, kMostPicturedChannels));
}

/// The verdict; with files for what was found, it is found again. Of classes in several virtual networks the
/// graph has them all, and the picture the first that is not free of deadlock or, if all are, the first.
DeadlockCheck judge(const Configuration& c, const CheckOptions& options, ProofListener& progress) {
  if (options.graph.empty() && options.picture.empty())
    return deadlock_verdict(c, &progress, options.cache());
  std::string graphs, picture;
  bool pictures_free = true;
  const bool has_classes = !c.traffic.options.classes(kClassesOption).empty();
  const DeadlockCheck check = check_deadlock(
      c, &progress,
      [&](const DeadlockAnalysis& analysis, const RoutingFunction& routing, const ChannelMap& channels,
          const std::string& verdict) {
        const bool free = analysis.verdict == DeadlockVerdict::free;
        if (!options.graph.empty())
          graphs += (has_classes ? "// " + verdict + '\n' : "") + graphviz(analysis, routing, channels);
        if (options.picture.empty() || (!picture.empty() && (free || !pictures_free))) return;
        picture = deadlock_picture(analysis, routing, channels, verdict);
        pictures_free = free;
      });
  if (!graphs.empty()) write_checked(options.graph, graphs);
  if (!picture.empty()) write_checked(options.picture, picture);
  return check;
}

void print_text(Command& command, const Verdicts& verdicts) {
  print(command, verdicts.network.text());
  const DeadlockCheck& changes = verdicts.changes.check;
  if (!verdicts.faults.empty())
    print(command,
          "\n" + verdicts.faults +
              (changes.verdict.empty() ? "" : "Faults: " + changes.verdict + ".\n" + changes.details));
  if (!verdicts.transactions) return;
  const bool refused = verdicts.transactions->details.empty();
  print(command, "\n" + (refused ? verdicts.transactions->verdict + '\n' : verdicts.transactions->text()));
}

/// The configuration, validated.
Configuration read_configuration(const CheckOptions& options, Command& command) {
  return options.configuration.read(command.terminal, options.quiet,
                                    [&](Configuration& c) { check_outputs(c, options); });
}

void check_configuration(const CheckOptions& options, Command& command) {
  const Configuration c = read_configuration(options, command);
  try {
    check_globs(c, options, command);
    refuse_large_picture(c, options);
    Verdicts verdicts;
    {
      const InterruptGuard interrupt;
      TerminalProof progress(command.terminal, options.quiet, interrupt);
      verdicts.network = judge(c, options, progress);
      verdicts.faults = fault_notes(c) + static_faults_text(c, &progress);
      verdicts.changes = check_fault_changes(c, &progress);
    }
    note_cache(verdicts.network, options, command);
    if (c.explicit_section("tlm")) verdicts.transactions = check_platform(c, options, command);
    options.json ? print_json(command, verdicts) : print_text(command, verdicts);
    for (const std::string& note : unused_keys_notes(unused_keys(c, KeyReader::platform)))  // it judges both
      command.err << "flitmend: " << note << '\n';
    command.status = verdicts.status();
  } catch (const KeyError& e) {
    throw c.located(e);
  }
}

/// The routing with every set of faults of a kind.
void check_faults(const CheckOptions& options, Command& command) {
  const Configuration c = read_configuration(options, command);
  DeadlockCheck result;
  {
    const InterruptGuard interrupt;
    TerminalProof progress(command.terminal, options.quiet, interrupt);
    result = fault_sets_verdict(c, options.faults == "single" ? FaultSets::single : FaultSets::double_links,
                                &progress, options.cache());
  }
  note_cache(result, options, command);
  if (options.json)
    command.out << to_json(result).dump(2) << '\n';
  else
    print(command, result.text());
  command.status = result.status;
}

}  // namespace

void add_check(CLI::App& program, Command& command) {
  CLI::App* check = program.add_subcommand(
      "check", "Prove the routing of a configuration free of deadlock, or show a deadlock.");
  const auto options = std::make_shared<CheckOptions>();
  options->configuration.add_to(*check);
  add_no_cache(*check, options->no_cache);
  add_quiet(*check, options->quiet);
  check->add_flag("--json", options->json, "Print one JSON object instead of text.");
  check
      ->add_option(
          "--faults", options->faults,
          "Instead: the routing with every set of permanent faults of a kind. single: every node and "
          "every link; double-links: every two links.")
      ->check(CLI::Validator(
          [](std::string& kind) {
            return kind == "single" || kind == "double-links"
                       ? std::string()
                       : "unknown kind of faults '" + kind + "'; write single or double-links";
          },
          "{single,double-links}"));
  check
      ->add_option("--graph", options->graph,
                   "Also write the dependencies of channels to this file, with the cycle or the order of the "
                   "proof, in the language of Graphviz.")
      ->type_name("FILE")
      ->check(output_name())
      ->excludes("--faults");
  check
      ->add_option(
          "--picture", options->picture,
          "Also draw the deadlock, the cycle or the order of the proof on the map of the network: an "
          "SVG file.")
      ->type_name("FILE")
      ->check(output_name())
      ->excludes("--faults");
  check->callback([options, &command] {
    options->faults.empty() ? check_configuration(*options, command) : check_faults(*options, command);
  });
}

}  // namespace flitmend
