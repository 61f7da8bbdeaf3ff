// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/tables.h"

#include <gtest/gtest.h>

#include <string>

namespace flitmend {

TEST(KaryNcubeModelFigure3, JudgesEquationsCurvesAndAccuracy) {
  const PaperTable table = kary_ncube_model_figure_3({});
  EXPECT_EQ(table.count(PaperVerdict::misprint), 2u);  // eqs. 8 and 19
  int curves = 0;
  for (const PaperRow& row : table.rows) {
    if (row.label.find("saturation, 1e-6") != std::string::npos) {
      ++curves;
      EXPECT_EQ(row.verdict, PaperVerdict::agrees) << row.label;
    }
    // Without faults the model follows the simulation; with faults it overestimates, two simulators say.
    if (row.label.find("nf = 0, rate") != std::string::npos) {
      EXPECT_EQ(row.verdict, PaperVerdict::agrees) << row.label;
    }
    if (row.verdict == PaperVerdict::refuted) {
      EXPECT_NE(row.reason.find("overestimates"), std::string::npos) << row.label;
    }
  }
  EXPECT_EQ(curves, 2 * 2 * 2 * 4);
  EXPECT_EQ(table.count(PaperVerdict::refuted), 5u);
  EXPECT_EQ(table.count(PaperVerdict::deviates), 0u);
}

}  // namespace flitmend
