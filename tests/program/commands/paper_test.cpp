// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "exploration/paper_tables/paper_table.h"
#include "support/run_command.h"

namespace flitmend {

TEST(AnalyzePaper, ListsEveryTable) {
  const auto text = run_flitmend({"analyze", "paper", "--list"});
  EXPECT_EQ(text.status, ExitStatus::done);
  const auto json = nlohmann::json::parse(run_flitmend({"analyze", "paper", "--list", "--json"}).out);
  ASSERT_EQ(json.size(), paper_tables().entries().size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    EXPECT_EQ(json[i]["name"], paper_tables().entries()[i].name);
    EXPECT_NE(text.out.find(json[i]["name"].get<std::string>()), std::string::npos);
  }
}

TEST(AnalyzePaper, RefusesAnUnknownTable) {
  const auto result = run_flitmend({"analyze", "paper", "no-such-table"});
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_NE(result.err.find("unknown published table 'no-such-table'"), std::string::npos) << result.err;
}

TEST(AnalyzePaper, AsksForAName) {
  const auto result = run_flitmend({"analyze", "paper"});
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_NE(result.err.find("give the name of a published table, or --list"), std::string::npos)
      << result.err;
}

TEST(AnalyzePaper, CountsWhatIsRefutedAndSaysWhy) {
  const auto text = run_flitmend({"analyze", "paper", "probability-vectors-figure-3"});
  EXPECT_NE(text.out.find("17 rows: 15 agree, 0 misprints, 1 refuted, 1 not reproduced, 0 deviate\n"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("refuted: grows (even the shortest paths"), std::string::npos) << text.out;
  const auto json =
      nlohmann::json::parse(run_flitmend({"analyze", "paper", "probability-vectors-figure-3", "--json"}).out);
  EXPECT_EQ(json["counts"],
            (nlohmann::json{
                {"agrees", 15}, {"misprint", 0}, {"refuted", 1}, {"not_reproduced", 1}, {"deviates", 0}}));
  EXPECT_EQ(json["rows"].back()["verdict"], "refuted");
  EXPECT_NE(json["rows"].back()["reason"].get<std::string>().find("shortest paths"), std::string::npos);
}

}  // namespace flitmend
