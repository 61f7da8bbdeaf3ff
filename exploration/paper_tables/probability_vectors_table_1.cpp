// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/faults.h"
#include "exploration/paper_tables/printed_table.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

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
  const PrintedTable printed("probability-vectors-table-1");
  PaperTable table = printed.begin();
  for (const Json& row : printed.rows()) {
    const std::string name = row["node"].get<std::string>(), set = row["faulty_set"].get<std::string>();
    const KaryCube::Node node = cube.node_of(name);
    table.rows.push_back(judge_statement(name + " |F|", "F = {" + set + "}", 6 * vectors.vector(node)[0],
                                         faulty_set(vectors, node) == set));
    table.rows.back().decimals = 0;
    for (const unsigned hops : {1u, 2u}) {
      const std::string hops_text = std::to_string(hops);
      table.rows.push_back(printed.judged(compare_digits(
          name + " P_" + hops_text, row["p" + hops_text].get<double>(), 3, vectors.vector(node)[hops - 1])));
    }
  }
  return table;
}

}  // namespace flitmend
