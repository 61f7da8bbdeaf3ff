#include "analysis/paper_tables/tables.h"

namespace flitmend {

const Registry<PaperTableEntry>& paper_tables() {
  static const Registry<PaperTableEntry> tables(
      "published table",
      {
          // One line a table.
          {"fault-rings-table-2", "P_hit in n-dimensional meshes with a fault region", &fault_rings_table_2},
          {"probability-vectors-table-1", "faulty sets and vectors of the 3-ary 3-cube",
           &probability_vectors_table_1},
          {"probability-vectors-table-2", "minimum-distance routing in the 8-ary 3-cube, by distance",
           &probability_vectors_table_2},
          {"probability-vectors-table-3", "mean routing distance for k = 3, 5, 7, 9",
           &probability_vectors_table_3},
          {"probability-vectors-figure-2", "minimum-distance routing against faulty nodes",
           &probability_vectors_figure_2},
          {"probability-vectors-figure-3", "deviation, unreachability, looping in the 3-ary 3-cube",
           &probability_vectors_figure_3},
          {"probability-vectors-figure-4", "deviation against k", &probability_vectors_figure_4},
      });
  return tables;
}

}  // namespace flitmend
