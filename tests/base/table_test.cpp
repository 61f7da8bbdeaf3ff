// SPDX-License-Identifier: Apache-2.0
#include "base/table.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

const Table kTable{"Loads & latencies",
                   {{"curve"}, {"latency", Table::right, "in <cycles>"}, {"remark"}},
                   {{"größer", "7"}, {"a|b", "12.5", "line\nbreak"}}};

TEST(Table, AsText) {
  EXPECT_EQ(kTable.text(),
            "curve   latency  remark\n"
            "------  -------  -----------\n"
            "größer        7\n"
            "a|b        12.5  line\\nbreak\n");
}

TEST(Table, AsMarkdown) {
  EXPECT_EQ(kTable.markdown(),
            "| curve | latency | remark |\n"
            "|---|---:|---|\n"
            "| größer | 7 |\n"
            "| a\\|b | 12.5 | line\nbreak |\n");
}

TEST(Table, AsHtml) {
  EXPECT_EQ(
      kTable.html(),
      "<table class=\"sortable\">\n<caption>Loads &amp; latencies</caption>\n<thead><tr>"
      "<th scope=\"col\">curve</th><th scope=\"col\" class=\"n\" title=\"in &lt;cycles&gt;\">latency</th>"
      "<th scope=\"col\">remark</th></tr></thead>\n<tbody>\n"
      "<tr><td>größer</td><td class=\"n\">7</td></tr>\n"
      "<tr><td>a|b</td><td class=\"n\">12.5</td><td>line\nbreak</td></tr>\n"
      "</tbody></table>");
}

TEST(Table, WithoutRowsHasItsHeadings) {
  const Table table{.columns = {{"a"}}};
  EXPECT_EQ(table.text(), "a\n-\n");
  EXPECT_EQ(table.markdown(), "| a |\n|---|\n");
}

}  // namespace
}  // namespace flitmend
