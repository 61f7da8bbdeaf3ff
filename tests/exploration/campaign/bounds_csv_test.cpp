// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bounds.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "support/files.h"

namespace flitmend {
namespace {

FoundBounds example() {
  FoundBounds found;
  found.runs = 12, found.messages = 3456, found.broken_elsewhere = 2, found.without_result = 3;
  found.counts = {{"a, b.csv", std::string(64, 'd')}, {"e (f), \"g\n.csv", std::string(64, 'e')}};
  HitCounts heads, bodies;
  heads.hits = 53, heads.undeliverable = 7, heads.guard_repaired = 4, heads.in_flight = 2, heads.failed = 1;
  bodies.hits = 7, bodies.lost = 5;
  found.strata = {{{"fcr", "link", "permanent", "head", "one"}, heads},
                  {{"fcr", "node", "transient", "body", "in-sequence"}, bodies}};
  return found;
}

std::string with(const std::string& what, const std::string& instead) {
  std::string csv = bounds_csv(example());
  return csv.replace(csv.find(what), what.size(), instead);
}

std::string refusal_of(const std::string& csv) {
  return test::message_of<ConfigurationError>([&] { parse_bounds(csv, "b.csv"); });
}

TEST(BoundsCsv, KeepsWhatACampaignHasFound) {
  const FoundBounds wrote = example(), read = parse_bounds(bounds_csv(wrote), "b.csv");
  EXPECT_EQ(read.name, "b.csv");
  EXPECT_EQ(read.runs, 12);
  EXPECT_EQ(read.messages, 3456u);
  EXPECT_EQ(read.broken_elsewhere, 2u);
  EXPECT_EQ(read.without_result, 3u);
  EXPECT_EQ(read.strata, wrote.strata);
  ASSERT_EQ(read.counts.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.counts[i].name, wrote.counts[i].name);
    EXPECT_EQ(read.counts[i].fingerprint, wrote.counts[i].fingerprint);
  }
}

TEST(BoundsCsv, HasARowPerStratum) {
  const std::string csv = bounds_csv(example());
  EXPECT_NE(
      csv.find(
          "\nprotocol,fault,duration,phase,overlap,hits,lost,undeliverable,guard_repaired,in_flight,failed\n"
          "fcr,link,permanent,head,one,53,0,7,4,2,1\n"
          "fcr,node,transient,body,in-sequence,7,5,0,0,0,0\n"),
      csv.npos)
      << csv;
}

TEST(BoundsCsv, LinesMayEndWithCarriageReturns) {
  std::string csv;
  for (const char c : bounds_csv(example())) csv += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parse_bounds(csv, "b.csv").strata, example().strata);
}

TEST(BoundsCsv, TheSameNumbersHaveTheSameFingerprint) {
  const std::string fingerprint = parse_bounds(bounds_csv(example()), "b.csv").fingerprint;
  FoundBounds other = example();
  other.counts.clear();
  EXPECT_EQ(parse_bounds(bounds_csv(other), "c.csv").fingerprint, fingerprint);
  other.strata.begin()->second.in_flight = 1;
  EXPECT_NE(parse_bounds(bounds_csv(other), "c.csv").fingerprint, fingerprint);
}

TEST(BoundsCsv, RefusesWhatNoCampaignHasWritten) {
  const std::string no_table =
      "this is not a table of bounds; name a bounds.csv that `flitmend campaign` has written";
  EXPECT_EQ(refusal_of(""), "b.csv:1: " + no_table);
  EXPECT_EQ(refusal_of("# A heading\n\n12 runs, 3456 messages\n"), "b.csv:1: " + no_table);
  EXPECT_EQ(refusal_of("| protocol | fault |\n"), "b.csv:1: " + no_table);
  EXPECT_EQ(refusal_of(with("fcr,link", "fcp,link")),
            "b.csv:9: the line is not a stratum of this version; restore the file");
  EXPECT_EQ(refusal_of(with(",53,", ",5x,")), "b.csv:9: the line has '5x' for a count; restore the file");
  EXPECT_EQ(refusal_of(with(",53,", ",-7,")), "b.csv:9: the line has '-7' for a count; restore the file");
  EXPECT_EQ(refusal_of(with(",53,", ",18446744073709551615,")),
            "b.csv:9: the line has '18446744073709551615' for a count; restore the file");
  EXPECT_EQ(refusal_of(with("# runs 12", "# runs 99999999999999999999")),
            "b.csv:1: the line has '99999999999999999999' for a count; restore the file");
  EXPECT_EQ(refusal_of(with(",53,", ",53,1,")),
            "b.csv:9: the line has 12 cells instead of 11; restore the file");
  EXPECT_EQ(refusal_of(with("node,transient,body,in-sequence", "link,permanent,head,one")),
            "b.csv:10: the line repeats the stratum of an earlier row; restore the file");
  EXPECT_EQ(refusal_of(with(" \"a, b.csv\"", "")),
            "b.csv:5: the line does not name a campaign that is counted; restore the file");
  // A row that is lost, or changed, does not go unseen.
  const std::string changed = "b.csv: its numbers are not those of its fingerprint; restore the file";
  EXPECT_EQ(refusal_of(with(",53,", ",54,")), changed);
  EXPECT_EQ(refusal_of(with("# messages 3456\n", "")), changed);
  EXPECT_EQ(refusal_of(bounds_csv(example()).substr(0, bounds_csv(example()).find("fcr,node"))), changed);
}

// The tables that the project has published can be counted by further campaigns.
TEST(BoundsCsv, PublishedTablesCanBeRead) {
  for (const auto& [name, strata] :
       {std::pair{"campaign-bounds", 484u}, {"campaign-bounds-single-faults", 180u}}) {
    const std::string file = std::string(FLITMEND_SOURCE_DIR) + "/docs/results/" + name;
    const FoundBounds found = parse_bounds(test::read_file(file + ".csv"), file);
    EXPECT_EQ(found.strata.size(), strata);
    HitCounts all;
    for (const auto& [stratum, counts] : found.strata) all += counts;
    EXPECT_NE(test::read_file(file + ".md")
                  .find(std::to_string(found.runs) + " runs, " + std::to_string(found.messages) +
                        " messages, " + std::to_string(all.hits) + " hits in "),
              std::string::npos)
        << file;
  }
}

}  // namespace
}  // namespace flitmend
