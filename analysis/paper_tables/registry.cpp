#include "analysis/paper_tables/tables.h"

namespace flitmend {

const Registry<PaperTableEntry>& paper_tables() {
  static const Registry<PaperTableEntry> tables(
      "published table",
      {
          // One line a table.
          {"fault-rings-table-2", "P_hit in n-dimensional meshes with a fault region", &fault_rings_table_2},
      });
  return tables;
}

}  // namespace flitmend
