// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/paper_tables/paper_table.h"

namespace flitmend {

// The functions behind the registry, one per published table or figure. A figure is a picture without
// numbers; what is judged are the statements that the text makes about it.
PaperTable fault_rings_table_2(const PaperTableOptions&);
PaperTable probability_vectors_table_1(const PaperTableOptions&);
PaperTable probability_vectors_table_2(const PaperTableOptions&);
PaperTable probability_vectors_table_3(const PaperTableOptions&);
PaperTable probability_vectors_figure_2(const PaperTableOptions&);
PaperTable probability_vectors_figure_3(const PaperTableOptions&);
PaperTable probability_vectors_figure_4(const PaperTableOptions&);
PaperTable kns_table_1a(const PaperTableOptions&);
PaperTable kns_table_1b(const PaperTableOptions&);
PaperTable kns_figure_5(const PaperTableOptions&);
PaperTable kns_figure_6(const PaperTableOptions&);
PaperTable kns_lemmas(const PaperTableOptions&);
PaperTable kary_ncube_model_figure_3(const PaperTableOptions&);

}  // namespace flitmend
