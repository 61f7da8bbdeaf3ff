// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/tools.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/fault_rings/pair_hits.h"
#include "analysis/fault_rings/path_counts.h"
#include "analysis/fault_rings/pattern_survey.h"
#include "base/errors.h"
#include "base/table.h"
#include "base/text.h"
#include "program/commands/number_text.h"
#include "program/terminal/terminal_line.h"

namespace flitmend {
namespace {

struct FaultRingsArguments {
  std::string mesh;
  std::vector<std::string> boxes;
  std::vector<std::string> nodes;
  std::string region = "ring";
  std::string method = "sweep";
  std::optional<std::uint64_t> monte_carlo;
  bool convex = false;
  bool per_pair = false;
  std::string faulty_nodes;
  std::string shape = "block";
  std::uint32_t regions = 1;
  std::uint64_t patterns = 1000;
  bool json = false;
  bool quiet = false;
  RandomOptions random;
};

struct Answer {
  FaultPattern pattern;
  FaultRegion region;
  PathCounts counts;
  std::optional<HitEstimate> estimate;
  std::optional<PairHits> pairs;
};

/// "7x8x11" → 7, 8, 11; `separator` 'x' or ','. `what` names the option in the message. Whole numbers below
/// 2^32 only; throws ConfigurationError.
std::vector<std::uint32_t> parse_numbers(std::string_view text, char separator, std::string_view what) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (error == std::errc::result_out_of_range && stop == text.data() + end)
      throw ConfigurationError(std::string(what) + " '" + std::string(text) +
                               "': " + std::string(text.substr(at, end - at)) +
                               " is too large; numbers are at most 4294967295");
    if (error != std::errc{} || stop != text.data() + end)
      throw ConfigurationError(std::string(what) + " '" + std::string(text) +
                               "': expected whole numbers with '" + separator + "' between them, like 7" +
                               separator + "8" + separator + "11");
    numbers.push_back(value);
    at = end + 1;
  }
  return numbers;
}

FaultBox parse_box(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw ConfigurationError("--box '" + text +
                             "': expected an origin and a size with ':' between them, like 2,2,2:2x1x3");
  return {parse_numbers(text.substr(0, colon), ',', "--box origin"),
          parse_numbers(text.substr(colon + 1), 'x', "--box size")};
}

FaultRegion region_of(const FaultRingsArguments& a) {
  return a.region == "ring" ? FaultRegion::ring : FaultRegion::fault;
}

Answer answer(const FaultRingsArguments& a, std::ostream& terminal_stream) {
  std::vector<FaultBox> boxes;
  for (const std::string& box : a.boxes) boxes.push_back(parse_box(box));
  std::vector<std::vector<std::uint32_t>> nodes;
  for (const std::string& node : a.nodes) nodes.push_back(parse_numbers(node, ',', "--node"));
  FaultPattern pattern(MeshShape(parse_numbers(a.mesh, 'x', "--mesh")), boxes, nodes);
  if (a.convex) pattern.require_convex();
  const FaultRegion region = region_of(a);
  const PathCounts counts = [&] {
    TerminalSurvey terminal(terminal_stream, a.quiet);
    const auto method = a.method == "sweep" ? count_paths_by_sweep : count_paths_by_determinant;
    return method(pattern, region, a.random.jobs, &terminal);
  }();
  std::optional<HitEstimate> estimate;
  if (a.monte_carlo) {
    TerminalSurvey terminal(terminal_stream, a.quiet);
    estimate = estimate_p_hit(pattern, region, *a.monte_carlo, a.random.seed, a.random.jobs, &terminal);
  }
  std::optional<PairHits> pairs;
  if (a.per_pair) {
    TerminalSurvey terminal(terminal_stream, a.quiet);
    pairs = survey_pairs(pattern, region, a.random.jobs, &terminal);
  }
  return {std::move(pattern), region, counts, estimate, pairs};
}

/// All digits if they fit on a line, else the first digits and the power of ten.
std::string count_text(const BigCount& count) {
  const std::string digits = count.str();
  if (digits.size() <= 40) return digits;
  return formatted("%1%.%2%e+%3%", digits.substr(0, 1), digits.substr(1, 9), digits.size() - 1);
}

std::string regions_text(const FaultPattern& pattern) {
  std::map<RegionShape, unsigned> shapes;
  const auto regions = pattern.regions();
  for (const FaultRegionShape& region : regions) ++shapes[region.shape];
  std::string text;
  for (const auto& [shape, count] : shapes)
    text += (text.empty() ? "" : ", ") + (shape == RegionShape::block
                                              ? counted(count, "block")
                                              : formatted("%1% %2%", count, to_string(shape)));
  return counted(regions.size(), "region") + ": " + text;
}

const char* region_text(FaultRegion region) {
  return region == FaultRegion::ring ? "faulty nodes or their ring" : "faulty nodes";
}

double share(std::uint64_t count, std::uint64_t of) {
  return of ? static_cast<double>(count) / static_cast<double>(of) : 0;
}

void print_text(std::ostream& out, const Answer& a) {
  const FaultPattern& p = a.pattern;
  const auto line = [&](const char* name, const std::string& value) {
    out << formatted("%-16s%s\n", name, value);
  };
  line("mesh", p.mesh().description() + ", " + counted(p.mesh().node_count(), "node") + ", " +
                   counted(p.mesh().link_count(), "link"));
  line("faults", counted(p.fault_nodes(), "node") + ", " + regions_text(p));
  line("ring", counted(p.ring_nodes(), "node") + ", " + std::string(to_string(p.kind())));
  line("a path meets", region_text(a.region));
  line("P_hit", fixed_text(a.counts.p_hit(), 6));
  line("P_miss", fixed_text(a.counts.p_miss(), 6));
  line("paths", count_text(a.counts.total));
  line("paths missing", count_text(a.counts.missing));
  if (a.estimate)
    line("Monte Carlo", "P_hit " + fixed_text(a.estimate->p_hit, 6) + ", 95 % interval " +
                            interval_text(a.estimate->within, 6) + ", " +
                            counted(a.estimate->samples, "path"));
  if (!a.pairs) return;
  const PairHits& pairs = *a.pairs;
  line("of a pair", "P_hit " + fixed_text(pairs.mean(), 6) + ", mean of " + counted(pairs.pairs, "pair"));
  line("pairs", "never " + percent_text(share(pairs.never, pairs.pairs), 2) + ", always " +
                    percent_text(share(pairs.always, pairs.pairs), 2));
  for (unsigned i = 0; i < PairHits::kTenths; ++i)
    line("", formatted("P_hit %.1f to %.1f: %s", i / 10.0, (i + 1) / 10.0,
                       percent_text(share(pairs.between[i], pairs.pairs), 2)));
}

nlohmann::ordered_json pairs_json(const PairHits& pairs) {
  return {{"pairs", pairs.pairs},
          {"p_hit_mean", pairs.mean()},
          {"never", share(pairs.never, pairs.pairs)},
          {"always", share(pairs.always, pairs.pairs)},
          {"between", pairs.between}};
}

void print_json(std::ostream& out, const Answer& a) {
  const FaultPattern& p = a.pattern;
  nlohmann::ordered_json object = {{"p_hit", a.counts.p_hit()},
                                   {"p_miss", a.counts.p_miss()},
                                   {"paths_total", "@paths_total@"},
                                   {"paths_missing", "@paths_missing@"},
                                   {"region", a.region == FaultRegion::ring ? "ring" : "fault"},
                                   {"kind", to_string(p.kind())},
                                   {"fault_nodes", p.fault_nodes()},
                                   {"ring_nodes", p.ring_nodes()},
                                   {"links", p.mesh().link_count()}};
  if (a.estimate) {
    nlohmann::ordered_json& estimate = object["monte_carlo"];
    estimate = {{"samples", a.estimate->samples}, {"hits", a.estimate->hits}, {"p_hit", a.estimate->p_hit}};
    add_interval(estimate, "p_hit", "95", a.estimate->p_hit, a.estimate->within);
  }
  if (a.pairs) object["of_pairs"] = pairs_json(*a.pairs);
  // JSON numbers may have any number of digits, but those of the library do not, so the exact counts are
  // inserted as text.
  std::string text = object.dump(2);
  const auto set_number = [&](const std::string& mark, const BigCount& count) {
    text.replace(text.find(mark), mark.size(), count.str());
  };
  set_number("\"@paths_total@\"", a.counts.total);
  set_number("\"@paths_missing@\"", a.counts.missing);
  out << text << '\n';
}

PatternSurvey survey_of(const FaultRingsArguments& a) {
  const auto shape = [&] {
    for (const PatternShape s :
         {PatternShape::block, PatternShape::orthogonally_convex, PatternShape::concave})
      if (a.shape == to_string(s)) return s;
    return PatternShape::any;
  }();
  return {.mesh = MeshShape(parse_numbers(a.mesh, 'x', "--mesh")),
          .faulty_nodes = parse_numbers(a.faulty_nodes, ',', "--faulty-nodes"),
          .shape = shape,
          .regions = a.regions,
          .patterns = a.patterns,
          .region = region_of(a)};
}

void print_text(std::ostream& out, const PatternSurvey& survey, const std::vector<PatternResult>& results) {
  out << "mesh " << survey.mesh.description() << ", " << counted(survey.patterns, "random pattern")
      << " for each number of faulty nodes: "
      << (survey.shape == PatternShape::any
              ? "any nodes"
              : counted(survey.regions, "region") + " of shape " + std::string(to_string(survey.shape)))
      << "; a path meets " << region_text(survey.region) << "\n\n";
  Table table{.columns = {{"faulty nodes", Table::right},
                          {"ring nodes", Table::right},
                          {"f-rings", Table::right},
                          {"P_hit", Table::right},
                          {"95 % interval", Table::right},
                          {"least", Table::right},
                          {"most", Table::right},
                          {"of a pair", Table::right},
                          {"95 % interval", Table::right},
                          {"never", Table::right},
                          {"always", Table::right},
                          {"rejected", Table::right}}};
  for (const PatternResult& r : results)
    table.add({std::to_string(r.faulty_nodes), fixed_text(r.ring_nodes, 2),
               percent_text(share(r.f_rings, r.patterns), 1), fixed_text(r.of_paths.mean, 4),
               interval_text(r.of_paths.within, 4), fixed_text(r.of_paths.least, 4),
               fixed_text(r.of_paths.most, 4), fixed_text(r.of_pairs.mean, 4),
               interval_text(r.of_pairs.within, 4), percent_text(share(r.pairs.never, r.pairs.pairs), 2),
               percent_text(share(r.pairs.always, r.pairs.pairs), 2), std::to_string(r.rejected)});
  out << table.text();
}

void print_json(std::ostream& out, const PatternSurvey& survey, const std::vector<PatternResult>& results) {
  auto rows = nlohmann::ordered_json::array();
  for (const PatternResult& r : results) {
    nlohmann::ordered_json row = {{"faulty_nodes", r.faulty_nodes},  {"patterns", r.patterns},
                                  {"rejected", r.rejected},          {"f_rings", r.f_rings},
                                  {"ring_nodes", r.ring_nodes},      {"p_hit", r.of_paths.mean},
                                  {"p_hit_least", r.of_paths.least}, {"p_hit_most", r.of_paths.most}};
    add_interval(row, "p_hit", "95", r.of_paths.mean, r.of_paths.within);
    row["of_pairs"] = pairs_json(r.pairs);
    row["of_pairs"]["p_hit_mean"] = r.of_pairs.mean;
    add_interval(row["of_pairs"], "p_hit_mean", "95", r.of_pairs.mean, r.of_pairs.within);
    rows.push_back(std::move(row));
  }
  const nlohmann::ordered_json object = {{"mesh", survey.mesh.description()},
                                         {"shape", to_string(survey.shape)},
                                         {"regions", survey.regions},
                                         {"region", survey.region == FaultRegion::ring ? "ring" : "fault"},
                                         {"by_faulty_nodes", rows}};
  out << object.dump(2) << '\n';
}

void survey_random_patterns(const FaultRingsArguments& a, Command& command) {
  const PatternSurvey survey = survey_of(a);
  const std::vector<PatternResult> results = [&] {
    TerminalSurvey terminal(command.terminal, a.quiet);
    return survey_patterns(survey, a.random.seed, a.random.jobs, &terminal);
  }();
  if (a.json)
    print_json(command.out, survey, results);
  else
    print_text(command.out, survey, results);
}

}  // namespace

void add_fault_rings(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "fault-rings", "Probability that a minimal path of a mesh meets a fault region or its ring.");
  const auto arguments = std::make_shared<FaultRingsArguments>();
  FaultRingsArguments& a = *arguments;
  tool->add_option("--mesh", a.mesh, "Size in every dimension, like 7x8x11.")->required();
  auto* random = tool->add_option("--faulty-nodes", a.faulty_nodes,
                                  "Numbers of faulty nodes, like 1,2,4: draw random patterns with each.");
  tool->add_option("--box", a.boxes, "Box of faulty nodes, origin:size, like 2,2,2:2x1x3; may be repeated.")
      ->allow_extra_args(false)
      ->excludes(random);
  tool->add_option("--node", a.nodes, "Faulty node, like 1,1,0; may be repeated.")
      ->allow_extra_args(false)
      ->excludes(random);
  add_word(*tool, "--region", a.region, {"ring", "fault"},
           "What a path may meet: the faulty nodes and their ring, or the faulty nodes alone.")
      ->capture_default_str();
  add_word(*tool, "--method", a.method, {"sweep", "determinant"},
           "Exact method; determinant is the published one.")
      ->excludes(random)
      ->capture_default_str();
  add_whole_number(*tool, "--monte-carlo", a.monte_carlo, "Also estimate P_hit from this many random paths.")
      ->excludes(random);
  tool->add_flag("--convex", a.convex, "Refuse fault regions that do not fill a box.")->excludes(random);
  tool->add_flag("--per-pair", a.per_pair, "Also find P_hit of every pair of healthy nodes.")
      ->excludes(random);
  add_word(*tool, "--shape", a.shape, {"block", "orthogonally-convex", "concave", "any"},
           "Shape of every region of a random pattern; any: whatever comes out.")
      ->needs(random)
      ->capture_default_str();
  add_whole_number(*tool, "--regions", a.regions, "Separate regions of a random pattern.")
      ->needs(random)
      ->capture_default_str();
  add_whole_number(*tool, "--patterns", a.patterns, "Random patterns for each number of faulty nodes.")
      ->needs(random)
      ->capture_default_str();
  add_json_option(*tool, a.json);
  add_quiet(*tool, a.quiet);
  add_random_options(*tool, a.random);
  tool->callback([arguments, random, &command] {
    if (random->count()) return survey_random_patterns(*arguments, command);
    const Answer result = answer(*arguments, command.terminal);
    if (arguments->json)
      print_json(command.out, result);
    else
      print_text(command.out, result);
  });
}

}  // namespace flitmend
