// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/path_counts.h"
#include "analysis/paper_tables/tables.h"

namespace flitmend {
namespace {

constexpr int kDecimals = 3;

struct Printed {
  std::vector<std::uint32_t> mesh;
  RingKind label;
  FaultBox box;
  double p_hit;
};

const std::vector<Printed>& printed_rows() {
  using enum RingKind;
  static const std::vector<Printed> rows = {
      {{3, 2, 2}, f_chain, {{1, 1, 0}, {1, 1, 1}}, 1},
      {{7, 8, 11}, f_ring, {{2, 2, 2}, {2, 1, 3}}, .214},
      {{5, 13, 9}, f_ring, {{2, 3, 1}, {1, 7, 2}}, .304},
      {{3, 5, 7}, f_chain, {{0, 0, 1}, {2, 2, 2}}, .817},
      {{6, 11, 17}, f_ring, {{2, 4, 6}, {4, 6, 10}}, .884},
      {{3, 7, 8, 9}, f_ring, {{1, 1, 1, 1}, {1, 5, 6, 8}}, .878},
      {{2, 3, 4, 2}, f_chain, {{0, 0, 1, 0}, {1, 1, 2, 1}}, .976},
      {{9, 5, 3, 9}, f_ring, {{2, 3, 1, 3}, {1, 1, 1, 4}}, .095},
      {{3, 3, 3, 3, 3}, f_chain, {{1, 1, 1, 1, 1}, {1, 1, 1, 2, 1}}, 1},
      {{5, 4, 3, 5, 6}, f_ring, {{1, 1, 1, 1, 1}, {1, 1, 1, 2, 1}}, .036},
      {{5, 4, 3, 5, 6}, f_ring, {{2, 2, 2, 2, 2}, {2, 2, 1, 1, 3}}, .104},
  };
  return rows;
}

std::string six_decimals(double value) {
  std::string text = std::to_string(value);
  return text.substr(text.find('.') == 1 && text[0] == '0' ? 1 : 0);
}

}  // namespace

PaperTable fault_rings_table_2(const PaperTableOptions& options) {
  PaperTable table;
  table.title = "Fault rings in n-dimensional meshes [Safaei11], Table 2: P_hit";
  table.notes = {
      "Rows labelled f-chain in the paper are for the faulty nodes and their ring, as P_hit is defined;",
      "rows labelled f-ring are for the faulty nodes alone. Each row is computed as its label says."};
  for (const Printed& row : printed_rows()) {
    const FaultPattern pattern(MeshShape(row.mesh), {row.box});
    const auto p_hit = [&](FaultRegion region) {
      return count_paths_by_sweep(pattern, region, options.jobs).p_hit();
    };
    const double ring = p_hit(FaultRegion::ring);
    std::string label = pattern.mesh().description() + ", ";
    for (std::size_t i = 0; i < row.box.size.size(); ++i)
      label += (i ? "x" : "") + std::to_string(row.box.size[i]);
    label += " at " + coordinate_text(row.box.origin) + ", " + std::string(to_string(row.label));
    if (row.label == RingKind::f_chain) {
      table.rows.push_back(compare_digits(label, row.p_hit, kDecimals, ring));
    } else {
      PaperRow compared = compare_digits(label, row.p_hit, kDecimals, p_hit(FaultRegion::fault));
      std::string note = "with the ring " + six_decimals(ring);
      if (pattern.kind() != row.label) note += ", which the border cuts to an f-chain";
      table.rows.push_back(std::move(compared).note(note));
    }
  }
  return table;
}

}  // namespace flitmend
