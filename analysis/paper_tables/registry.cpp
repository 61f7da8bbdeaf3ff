#include "analysis/paper_tables/paper_table.h"

namespace flitmend {

const Registry<PaperTableEntry>& paper_tables() {
  static const Registry<PaperTableEntry> tables("published table", {
                                                                       // One line a table.
                                                                   });
  return tables;
}

}  // namespace flitmend
