// SPDX-License-Identifier: Apache-2.0
#include "analysis/paper_tables/tables.h"
#include "analysis/probability_vectors/faults.h"

namespace flitmend {
namespace {

struct Printed {
  std::string node;
  std::string faulty_set;
  double p1;
  double p2;
};

const std::vector<Printed>& printed_nodes() {
  static const std::vector<Printed> nodes = {
      {"000", "100", .167, .086},     {"001", "011", .167, .050},     {"002", "", .000, .029},
      {"010", "011,110", .333, .151}, {"012", "011", .167, .49},      {"020", "120,220", .333, .113},
      {"021", "011", .167, .066},     {"022", "", .000, .039},        {"101", "100", .167, .066},
      {"102", "100", .167, .050},     {"111", "011,110", .333, .116}, {"112", "110", .167, .066},
      {"121", "120", .167, .077},     {"122", "120", .167, .058},     {"200", "100,220", .333, .097},
      {"201", "", .000, .039},        {"202", "", .000, .028},        {"210", "110,220", .333, .130},
      {"211", "011", .167, .065},     {"212", "", .000, .039},        {"221", "220", .167, .058},
      {"222", "220", .167, .043},
  };
  return nodes;
}

std::string faulty_set(const ProbabilityVectorTable& table, KaryCube::Node node) {
  std::string text;
  for (KaryCube::Node f = 0; f < table.cube().node_count(); ++f)
    if (table.faulty(f) && table.cube().lee_distance(node, f) == 1)
      text += (text.empty() ? "" : ",") + table.cube().label(f);
  return text;
}

}  // namespace

PaperTable probability_vectors_table_1(const PaperTableOptions&) {
  const KaryCube cube(3);
  const std::vector<std::string> faulty = {"011", "100", "110", "120", "220"};
  const ProbabilityVectorTable vectors(cube, PvArithmetic::plain, named_faults(cube, faulty, {}));
  PaperTable table;
  table.title =
      "Probability vectors [AlSadi03], Table 1: faulty sets and vectors of the 3-ary 3-cube with 5 faulty "
      "nodes";
  for (const Printed& printed : printed_nodes()) {
    const KaryCube::Node node = cube.node_of(printed.node);
    const std::string found = faulty_set(vectors, node);
    table.rows.push_back(judge_statement(printed.node + " |F|", "F = {" + printed.faulty_set + "}",
                                         6 * vectors.vector(node)[0], found == printed.faulty_set));
    table.rows.back().decimals = 0;
    table.rows.push_back(compare_digits(printed.node + " P_1", printed.p1, 3, vectors.vector(node)[0]));
    PaperRow p2 = compare_digits(printed.node + " P_2", printed.p2, 3, vectors.vector(node)[1]);
    if (printed.node == "012") p2 = std::move(p2).or_misprint_of(.049, ".49 is printed for .049");
    table.rows.push_back(std::move(p2));
  }
  return table;
}

}  // namespace flitmend
