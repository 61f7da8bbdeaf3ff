// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace flitmend {

TEST(KaryNcubeModelFigure3, JudgesEquationsCurvesAndAccuracy) {
  const PaperTable table = kary_ncube_model_figure_3({});
  EXPECT_EQ(table.count(PaperVerdict::misprint), 2u);  // eqs. 8 and 19
  const auto agreeing = [&](const char* words) {
    return std::count_if(table.rows.begin(), table.rows.end(), [&](const PaperRow& row) {
      return row.label.find(words) != std::string::npos && row.verdict == PaperVerdict::agrees;
    });
  };
  EXPECT_EQ(agreeing("saturation, 1e-6"), 2 * 2 * 2 * 4);
  EXPECT_EQ(agreeing(", rate 0.0"), 12) << "with faults, too";
  EXPECT_EQ(table.rows.size(), 2u + 32 + 12);
}

}  // namespace flitmend
