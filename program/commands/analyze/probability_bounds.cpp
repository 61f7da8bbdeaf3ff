// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/probability_vectors/bounds.h"
#include "base/table.h"
#include "program/commands/analyze/options.h"
#include "program/commands/analyze/tools.h"
#include "program/commands/number_text.h"

namespace flitmend {
namespace {

struct ProbabilityBoundsArguments {
  CubeOptions cube;
  std::uint64_t faults = 0;
  bool json = false;
};

void print_json(std::ostream& out, const std::vector<PvLowerBound>& bounds,
                const std::vector<double>& distances) {
  auto theorem1 = nlohmann::ordered_json::array();
  for (const PvLowerBound& b : bounds)
    theorem1.push_back({{"lee", b.lee}, {"hamming", b.hamming}, {"value", b.value}});
  const nlohmann::ordered_json object = {{"theorem1", theorem1}, {"average_distance", distances}};
  out << object.dump(2) << '\n';
}

void print_text(std::ostream& out, const std::vector<PvLowerBound>& bounds,
                const std::vector<double>& distances) {
  out << "Lower bound on the probability of routing within l+4 hops (Theorem 1)\n\n";
  Table theorem1{
      .columns = {{"Lee l", Table::right}, {"Hamming h", Table::right}, {"at least", Table::right}}};
  for (const PvLowerBound& b : bounds)
    theorem1.add({std::to_string(b.lee), std::to_string(b.hamming), fixed_text(b.value, 6)});
  out << theorem1.text();
  out << "\nMean routing distance (Theorem 2)\n\n";
  Table theorem2{.columns = {{"Lee l", Table::right}, {"hops", Table::right}}};
  for (std::size_t i = 0; i < distances.size(); ++i)
    theorem2.add({std::to_string(i + 1), fixed_text(distances[i], 6)});
  out << theorem2.text();
}

}  // namespace

void add_probability_bounds(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "probability-bounds", "Bounds of probability-vector routing in a k-ary 3-cube (Theorems 1 and 2).");
  const auto arguments = std::make_shared<ProbabilityBoundsArguments>();
  arguments->cube.add_to(*tool);
  add_whole_number(*tool, "--faults", arguments->faults, "Number of faulty nodes.")->required();
  add_json_option(*tool, arguments->json);
  tool->callback([arguments, &command] {
    const ProbabilityBoundsArguments& a = *arguments;
    const auto bounds = theorem1_bounds(a.cube.k, a.cube.n, a.faults);
    const auto distances = theorem2_average_distances(a.cube.k, a.cube.n, a.faults);
    if (a.json)
      print_json(command.out, bounds, distances);
    else
      print_text(command.out, bounds, distances);
  });
}

}  // namespace flitmend
