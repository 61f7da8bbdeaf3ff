// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/table.h"
#include "base/text.h"
#include "program/commands/analyze/tools.h"

namespace flitmend {
namespace {

struct ProbabilityVectorsArguments {
  CubeOptions cube;
  NamedFaultOptions faults;
  ArithmeticOption arithmetic;
  bool json = false;
};

/// Labels of F_A: the neighbours of a node that are faulty or across a faulty link.
std::vector<std::string> faulty_neighbours(const ProbabilityVectorTable& table, KaryCube::Node node) {
  const KaryCube& cube = table.cube();
  std::vector<KaryCube::Node> found;
  for (unsigned port = 0; port < cube.ports(); ++port)
    if (!(table.usable_ports(node) >> port & 1)) found.push_back(cube.neighbour(node, port));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> labels;
  for (KaryCube::Node f : found) labels.push_back(cube.label(f));
  return labels;
}

void print_text(std::ostream& out, const ProbabilityVectorTable& table) {
  const KaryCube& cube = table.cube();
  const ProbabilityVectorRule& rule = table.rule();
  const bool logarithm = rule.arithmetic() == PvArithmetic::logarithm;
  out << cube.description() << (logarithm ? ", ln P_l" : ", P_l")
      << ": the probability that no shortest path reaches a node at Lee distance l\n\n";
  Table text{.columns = {{"node"}, {"faulty neighbours"}}};
  for (unsigned l = 1; l <= cube.diameter(); ++l)
    text.columns.push_back({formatted(logarithm ? "ln P_%d" : "P_%d", l), Table::right});
  for (KaryCube::Node node = 0; node < cube.node_count(); ++node) {
    if (table.faulty(node)) {
      text.add({cube.label(node), "faulty"});
      continue;
    }
    const std::string faulty = joined(faulty_neighbours(table, node), ",");
    std::vector<std::string> cells = {cube.label(node), faulty.empty() ? "-" : faulty};
    for (unsigned l = 1; l <= cube.diameter(); ++l)
      cells.push_back(formatted("%.6g", table.vector(node)[l - 1]));
    text.add(cells);
  }
  out << text.text();
}

void print_json(std::ostream& out, const ProbabilityVectorTable& table) {
  const KaryCube& cube = table.cube();
  const ProbabilityVectorRule& rule = table.rule();
  auto nodes = nlohmann::ordered_json::array();
  for (KaryCube::Node node = 0; node < cube.node_count(); ++node) {
    auto p = nlohmann::ordered_json::array(), ln_p = nlohmann::ordered_json::array();
    for (unsigned l = 1; l <= cube.diameter() && !table.faulty(node); ++l) {
      p.push_back(rule.probability(table.vector(node)[l - 1]));
      ln_p.push_back(rule.log_probability(table.vector(node)[l - 1]));  // null for ln 0
    }
    nlohmann::ordered_json entry = {{"node", cube.label(node)}, {"faulty", table.faulty(node)}};
    entry["faulty_neighbours"] =
        table.faulty(node) ? std::vector<std::string>{} : faulty_neighbours(table, node);
    entry["p"] = p;
    if (rule.arithmetic() == PvArithmetic::logarithm) entry["ln_p"] = ln_p;
    nodes.push_back(std::move(entry));
  }
  const nlohmann::ordered_json object = {{"k", cube.k()}, {"n", cube.n()}, {"nodes", nodes}};
  out << object.dump(2) << '\n';
}

/// The output is first held in memory, about 40 bytes per element.
void check_size(const KaryCube& cube) {
  constexpr std::uint64_t kMaxPrinted = 10'000'000;
  const std::uint64_t elements = std::uint64_t{cube.node_count()} * cube.diameter();
  if (elements > kMaxPrinted)
    throw ConfigurationError(
        formatted("probability vectors: those of the %1% have %2% elements; at most %3% can be printed; use "
                  "a smaller k or n",
                  cube.description(), elements, kMaxPrinted));
}

}  // namespace

void add_probability_vectors(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "probability-vectors", "Probability vectors of every node of a k-ary 3-cube with named faults.");
  const auto arguments = std::make_shared<ProbabilityVectorsArguments>();
  ProbabilityVectorsArguments& a = *arguments;
  a.cube.add_to(*tool);
  a.faults.add_to(*tool);
  a.arithmetic.add_to(*tool);
  add_json_option(*tool, a.json);
  tool->callback([arguments, &command] {
    const KaryCube cube(arguments->cube.k, arguments->cube.n);
    check_size(cube);
    const ProbabilityVectorTable table(cube, arguments->arithmetic.value(), arguments->faults.in(cube));
    if (arguments->json)
      print_json(command.out, table);
    else
      print_text(command.out, table);
  });
}

}  // namespace flitmend
