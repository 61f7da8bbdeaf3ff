// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/tables.h"

namespace flitmend {

const Registry<PaperTableEntry>& paper_tables() {
  static const Registry<PaperTableEntry> tables(
      "published table",
      {
          // One line per table.
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
          {"kns-table-1a", "pairs that use intermediate nodes, 32-ary 2-direct 1-indirect", &kns_table_1a},
          {"kns-table-1b", "pairs that use intermediate nodes, 10-ary 3-direct 1-indirect", &kns_table_1b},
          {"kns-figure-5", "tolerated combinations of faults, 32-ary 2-direct 1-indirect", &kns_figure_5},
          {"kns-figure-6", "tolerated combinations of faults, 10-ary 3-direct 1-indirect", &kns_figure_6},
          {"kns-lemmas", "faults that one and two intermediate nodes always tolerate", &kns_lemmas},
          {"kary-ncube-model-figure-3", "latency of Software-Based routing by the queueing model",
           &kary_ncube_model_figure_3},
      });
  return tables;
}

}  // namespace flitmend
