// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/tools.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/kns_tolerance/closed_forms.h"
#include "analysis/kns_tolerance/survey.h"
#include "base/table.h"
#include "base/text.h"
#include "program/commands/number_text.h"
#include "program/terminal/terminal_line.h"

namespace flitmend {
namespace {

/// Confidence of the intervals printed next to shares.
constexpr double kConfidence = .99;

struct KnsToleranceArguments {
  std::int64_t k = 0;
  std::int64_t n = 0;
  std::int64_t faults = 0;
  std::optional<std::uint64_t> samples;
  bool exhaustive = false;
  double confidence = .99;
  double error = .01;
  std::int64_t intermediates = 2;
  std::string policy = "fewest";
  RandomOptions random;
  bool json = false;
  bool quiet = false;
};

KnsSurvey survey(const KnsShape& shape, const KnsToleranceArguments& arguments,
                 std::ostream& terminal_stream) {
  KnsSurveySettings settings;
  settings.faults = arguments.faults;
  settings.max_intermediates = static_cast<unsigned>(arguments.intermediates);
  settings.policy = intermediate_policy(arguments.policy);
  settings.seed = arguments.random.seed;
  settings.jobs = arguments.random.jobs;
  TerminalSurvey terminal(terminal_stream, arguments.quiet);
  settings.listener = &terminal;
  if (arguments.exhaustive) return survey_all(shape, settings);
  return survey_samples(
      shape, settings,
      arguments.samples ? *arguments.samples : samples_for(arguments.confidence, arguments.error));
}

nlohmann::ordered_json combinations_json(const KnsSurvey& s, std::uint64_t hits) {
  if (s.exhaustive) return hits;
  return s.share(hits);
}

nlohmann::ordered_json pairs_json(const KnsSurvey& s, KnsSurvey::Count hits) {
  if (!s.exhaustive) return s.pair_share(hits);
  if (hits <= std::numeric_limits<std::uint64_t>::max()) return static_cast<std::uint64_t>(hits);
  return static_cast<double>(hits);  // too large for a JSON integer
}

/// The interval of an exhaustive survey.
std::optional<ShareInterval> exactly(double share) {
  return ShareInterval{share, share};
}

void add_combinations_interval(nlohmann::ordered_json& object, const std::string& name, const KnsSurvey& s,
                               std::uint64_t hits) {
  const double share = s.share(hits);
  add_interval(object, name, "99", share, s.exhaustive ? exactly(share) : s.interval(hits, kConfidence));
}

void print_json(std::ostream& out, const KnsShape& shape, const KnsToleranceArguments& arguments,
                const KnsSurvey& s) {
  const auto max = static_cast<unsigned>(arguments.intermediates);
  nlohmann::ordered_json object;
  object["combinations"] = s.combinations;
  object["connected"] = combinations_json(s, s.connected);
  for (unsigned x = 0; x <= max; ++x)
    object[formatted("tolerated_%1%", x)] = combinations_json(s, s.tolerated[x]);
  for (unsigned x = 0; x <= max; ++x) object[formatted("pairs_%1%", x)] = pairs_json(s, s.pairs[x]);
  object["pairs_unreachable"] = pairs_json(s, s.unreachable);
  add_combinations_interval(object, "connected", s, s.connected);
  for (unsigned x = 0; x <= max; ++x)
    add_combinations_interval(object, formatted("tolerated_%1%", x), s, s.tolerated[x]);
  for (unsigned x = 0; x <= max; ++x) {
    const std::string name = formatted("pairs_%1%", x);
    const double share = s.pair_share(s.pairs[x]);
    add_interval(object, name, "99", share, s.exhaustive ? exactly(share) : s.pair_interval(x, kConfidence));
  }
  object["exhaustive"] = s.exhaustive;
  object["closed_forms"] = {
      {"faulty_pairs", kns_faulty_pair_share(shape, static_cast<std::uint64_t>(arguments.faults))},
      {"no_isolated_router", kns_no_isolated_router(shape, static_cast<std::uint64_t>(arguments.faults))}};
  out << object.dump(2) << '\n';
}

void print_text(std::ostream& out, const KnsShape& shape, const KnsToleranceArguments& arguments,
                const KnsSurvey& s) {
  const auto max = static_cast<unsigned>(arguments.intermediates);
  out << formatted("%s: %s, %s; %s, %s, policy %s\n\n", shape.description(),
                   counted(shape.node_count(), "router"), counted(shape.link_count(), "link"),
                   counted(static_cast<std::uint64_t>(arguments.faults), "faulty link"),
                   s.exhaustive ? "all " + counted(s.combinations, "combination")
                                : counted(s.combinations, "random combination"),
                   arguments.policy);
  Table combinations{.columns = {{"combinations"},
                                 {"number", Table::right},
                                 {"share", Table::right},
                                 {"99 % interval", Table::right}}};
  const auto row = [&](std::string label, std::uint64_t hits) {
    combinations.add({std::move(label), s.exhaustive ? std::to_string(hits) : std::string(),
                      percent_text(s.share(hits), 4),
                      s.exhaustive ? "exact" : percent_interval_text(s.interval(hits, kConfidence), 4)});
  };
  row("connected", s.connected);
  for (unsigned x = 0; x <= max; ++x) row("tolerated, " + counted(x, "intermediate"), s.tolerated[x]);
  out << combinations.text();
  out << '\n';
  Table pairs{.columns = {{"ordered pairs"}, {"share", Table::right}, {"99 % interval", Table::right}}};
  for (unsigned x = 0; x <= max; ++x)
    pairs.add({counted(x, "intermediate"), percent_text(s.pair_share(s.pairs[x]), 8),
               s.exhaustive ? "exact" : percent_interval_text(s.pair_interval(x, kConfidence), 8)});
  pairs.add({"unreachable", percent_text(s.pair_share(s.unreachable), 8)});
  out << pairs.text();
  out << formatted(
      "\nClosed forms: %s of the pairs have a faulty plain path; no router is isolated in %s of the "
      "combinations.\n",
      percent_text(kns_faulty_pair_share(shape, static_cast<std::uint64_t>(arguments.faults)), 6),
      percent_text(kns_no_isolated_router(shape, static_cast<std::uint64_t>(arguments.faults)), 6));
}

}  // namespace

void add_kns_tolerance(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "kns-tolerance",
      "How many combinations of faulty links a KNS network tolerates with intermediate nodes.");
  const auto arguments = std::make_shared<KnsToleranceArguments>();
  add_whole_number(*tool, "--k", arguments->k, "Routers per switch.")->required();
  add_whole_number(*tool, "--n", arguments->n, "Dimensions.")->required();
  add_whole_number(*tool, "--faults", arguments->faults, "Number of faulty links.")->required();
  auto* samples =
      add_whole_number(*tool, "--samples", arguments->samples, "Random combinations to classify.");
  auto* all =
      tool->add_flag("--exhaustive", arguments->exhaustive, "Classify every combination.")->excludes(samples);
  add_number(*tool, "--confidence", arguments->confidence, "Without --samples: required confidence.", "0.99")
      ->excludes(samples)
      ->excludes(all)
      ->capture_default_str();
  add_number(*tool, "--error", arguments->error, "Without --samples: required half width of the interval.",
             "0.01")
      ->excludes(samples)
      ->excludes(all)
      ->capture_default_str();
  add_whole_number(*tool, "--intermediates", arguments->intermediates, "Intermediate nodes allowed.",
                   Range<std::int64_t>{0, KnsOutcome::kMaxIntermediates})
      ->capture_default_str();
  add_choice(*tool, "--policy", arguments->policy, intermediate_policies(), "Which chains are preferred.")
      ->capture_default_str();
  add_quiet(*tool, arguments->quiet);
  add_random_options(*tool, arguments->random);
  add_json_option(*tool, arguments->json);
  tool->callback([arguments, &command] {
    const KnsShape shape(arguments->k, arguments->n);
    const KnsSurvey result = survey(shape, *arguments, command.terminal);
    if (arguments->json)
      print_json(command.out, shape, *arguments, result);
    else
      print_text(command.out, shape, *arguments, result);
  });
}

}  // namespace flitmend
