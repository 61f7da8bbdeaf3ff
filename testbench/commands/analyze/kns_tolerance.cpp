#include "testbench/commands/analyze/kns_tolerance.h"

#include <CLI/CLI.hpp>
#include <boost/format.hpp>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/kns_tolerance/closed_forms.h"
#include "analysis/kns_tolerance/survey.h"
#include "testbench/commands/analyze/options.h"
#include "testbench/commands/analyze/parse.h"
#include "testbench/commands/command.h"
#include "testbench/commands/text_table.h"

namespace flitmend {
namespace {

using Align = TextTable::Column::Align;

/// Of the interval that is printed beside shares.
constexpr double kConfidence = .99;
constexpr double kNormal99 = 2.5758293035489;  // its half width in standard errors

struct Arguments {
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
};

KnsSurvey survey(const KnsShape& shape, const Arguments& arguments) {
  KnsSurveySettings settings;
  settings.faults = arguments.faults;
  settings.max_intermediates = static_cast<unsigned>(arguments.intermediates);
  settings.policy = intermediate_policy(arguments.policy);
  settings.seed = arguments.random.seed;
  settings.jobs = arguments.random.jobs;
  if (arguments.exhaustive) return survey_all(shape, settings);
  return survey_samples(
      shape, settings,
      arguments.samples ? *arguments.samples : samples_for(arguments.confidence, arguments.error));
}

/// Half width of the interval of a share of combinations; 0 where all of them were visited.
double half_width(const KnsSurvey& s, std::uint64_t hits) {
  return s.exhaustive ? 0 : share_half_width(hits, s.combinations, kConfidence);
}

nlohmann::ordered_json combinations_json(const KnsSurvey& s, std::uint64_t hits) {
  if (s.exhaustive) return hits;
  return s.share(hits);
}

nlohmann::ordered_json pairs_json(const KnsSurvey& s, KnsSurvey::Count hits) {
  if (!s.exhaustive) return s.pair_share(hits);
  if (hits <= std::numeric_limits<std::uint64_t>::max()) return static_cast<std::uint64_t>(hits);
  return static_cast<double>(hits);  // above what JSON integers carry
}

void print_json(std::ostream& out, const KnsShape& shape, const Arguments& arguments, const KnsSurvey& s) {
  const auto max = static_cast<unsigned>(arguments.intermediates);
  nlohmann::ordered_json object;
  object["combinations"] = s.combinations;
  object["connected"] = combinations_json(s, s.connected);
  for (unsigned x = 0; x <= max; ++x)
    object["tolerated_" + std::to_string(x)] = combinations_json(s, s.tolerated[x]);
  for (unsigned x = 0; x <= max; ++x) object["pairs_" + std::to_string(x)] = pairs_json(s, s.pairs[x]);
  object["pairs_unreachable"] = pairs_json(s, s.unreachable);
  for (unsigned x = 0; x <= max; ++x)
    object["tolerated_" + std::to_string(x) + "_ci99"] = half_width(s, s.tolerated[x]);
  for (unsigned x = 0; x <= max; ++x)
    object["pairs_" + std::to_string(x) + "_ci99"] = kNormal99 * s.pair_share_error(x);
  object["exhaustive"] = s.exhaustive;
  object["closed_forms"] = {
      {"faulty_pairs", kns_faulty_pair_share(shape, static_cast<std::uint64_t>(arguments.faults))},
      {"no_isolated_router", kns_no_isolated_router(shape, static_cast<std::uint64_t>(arguments.faults))}};
  out << object.dump(2) << '\n';
}

std::string percent(double share, int decimals) {
  return (boost::format("%.*f %%") % boost::io::group(std::setprecision(decimals), 100 * share)).str();
}

void print_text(std::ostream& out, const KnsShape& shape, const Arguments& arguments, const KnsSurvey& s) {
  const auto max = static_cast<unsigned>(arguments.intermediates);
  out << boost::format("%s: %d routers, %d links; %d dead, %s %d combinations, policy %s\n\n") %
             shape.description() % shape.node_count() % shape.link_count() % arguments.faults %
             (s.exhaustive ? "all" : "random") % s.combinations % arguments.policy;
  const auto row = [&](TextTable& table, std::string label, std::uint64_t hits) {
    table.add({std::move(label), s.exhaustive ? std::to_string(hits) : std::string(),
               percent(s.share(hits), 4),
               s.exhaustive ? std::string("exact") : percent(half_width(s, hits), 4)});
  };
  TextTable combinations({{"combinations", Align::left}, {"number"}, {"share"}, {"± (99 %)"}});
  row(combinations, "connected", s.connected);
  for (unsigned x = 0; x <= max; ++x)
    row(combinations, "tolerated, " + std::to_string(x) + " intermediates", s.tolerated[x]);
  combinations.print(out);
  out << '\n';
  TextTable pairs({{"ordered pairs", Align::left}, {"share"}, {"± (99 %)"}});
  for (unsigned x = 0; x <= max; ++x)
    pairs.add({std::to_string(x) + " intermediates", percent(s.pair_share(s.pairs[x]), 8),
               s.exhaustive ? std::string("exact") : percent(kNormal99 * s.pair_share_error(x), 8)});
  pairs.add({"unreachable", percent(s.pair_share(s.unreachable), 8)});
  pairs.print(out);
  out << boost::format(
             "\nClosed forms: %s of the pairs have a faulty plain path; no router is isolated in %s of the "
             "combinations.\n") %
             percent(kns_faulty_pair_share(shape, static_cast<std::uint64_t>(arguments.faults)), 6) %
             percent(kns_no_isolated_router(shape, static_cast<std::uint64_t>(arguments.faults)), 6);
}

}  // namespace

void add_kns_tolerance(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "kns-tolerance",
      "How many combinations of dead links a KNS network tolerates with intermediate nodes.");
  const auto arguments = std::make_shared<Arguments>();
  tool->add_option("--k", arguments->k, "Routers a switch.")->check(integer)->required();
  tool->add_option("--n", arguments->n, "Dimensions.")->check(integer)->required();
  tool->add_option("--faults", arguments->faults, "Dead links.")->check(integer)->required();
  auto* samples = tool->add_option("--samples", arguments->samples, "Random combinations to classify.")
                      ->check(whole_number);
  auto* all =
      tool->add_flag("--exhaustive", arguments->exhaustive, "Classify every combination.")->excludes(samples);
  tool->add_option("--confidence", arguments->confidence, "Without --samples: confidence wanted.")
      ->excludes(samples)
      ->excludes(all)
      ->capture_default_str();
  tool->add_option("--error", arguments->error, "Without --samples: half width of the interval wanted.")
      ->excludes(samples)
      ->excludes(all)
      ->capture_default_str();
  tool->add_option("--intermediates", arguments->intermediates, "Intermediate nodes allowed.")
      ->check(integer)
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{KnsOutcome::kMaxIntermediates}))
      ->capture_default_str();
  tool->add_option("--policy", arguments->policy, "fewest or minimal-first.")->capture_default_str();
  add_random_options(*tool, arguments->random);
  add_json_option(*tool, arguments->json);
  tool->callback([arguments, &command] {
    const KnsShape shape(arguments->k, arguments->n);
    const KnsSurvey result = survey(shape, *arguments);
    (arguments->json ? print_json : print_text)(command.out, shape, *arguments, result);
  });
}

}  // namespace flitmend
