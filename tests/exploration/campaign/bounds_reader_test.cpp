// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bounds_reader.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "support/files.h"

namespace flitmend {
namespace {

const std::string kPage =
    "# A heading\n\nText before the table.\n\n"
    "12 runs, 3456 messages, 60 hits in 2 strata. Of the 2 strata that the campaign fills, 1 have at least "
    "50 hits.\n"
    "1 hits failed; 2 more runs broke the contract otherwise. 4 hits were repaired by the guard only.\n\n"
    "| protocol | fault | duration | phase | overlap | hits | lost | given up | by the guard | failed | "
    "bound |\n"
    "|---|---|---|---|---|---:|---:|---:|---:|---:|---:|\n"
    "| fcr | link | permanent | head | one | 53 | 0 | 7 | 4 | 1 | 0.09 |\n"
    "| fcr | node | transient | body | in-sequence | 7* | 0 | 0 | 0 | 0 | 0.35 |\n\n"
    "1 strata cannot occur:\n\n| protocols | phase | why |\n|---|---|---|\n| fcr | control | none |\n";

std::string with(const std::string& what, const std::string& instead) {
  std::string page = kPage;
  return page.replace(page.find(what), what.size(), instead);
}

std::string refusal_of(const std::string& page) {
  return test::message_of<ConfigurationError>([&] { parse_bounds(page, "b.md"); });
}

TEST(BoundsReader, ReadsWhatACampaignHasFound) {
  const FoundBounds found = parse_bounds(kPage, "b.md");
  EXPECT_EQ(found.name, "b.md");
  EXPECT_EQ(found.runs, 12);
  EXPECT_EQ(found.messages, 3456u);
  EXPECT_EQ(found.broken_elsewhere, 2u);
  ASSERT_EQ(found.strata.size(), 2u);
  const HitCounts& heads = found.strata.at({"fcr", "link", "permanent", "head", "one"});
  EXPECT_EQ(heads.hits, 53u);
  EXPECT_EQ(heads.undeliverable, 7u);
  EXPECT_EQ(heads.guard_repaired, 4u);
  EXPECT_EQ(heads.failed, 1u);
  EXPECT_EQ(found.strata.at({"fcr", "node", "transient", "body", "in-sequence"}).hits, 7u);
}

TEST(BoundsReader, ReadsLinesThatEndWithCarriageReturns) {
  std::string page;
  for (const char c : kPage) page += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parse_bounds(page, "b.md").strata, parse_bounds(kPage, "b.md").strata);
}

TEST(BoundsReader, NamesTheCampaignsThatAreCounted) {
  const FoundBounds found =
      parse_bounds(with("| protocol | fault",
                        "3 of these runs are this campaign's own; the others are those of a.md, ../c.md.\n\n"
                        "| protocol | fault"),
                   "b.md");
  ASSERT_EQ(found.counts.size(), 2u);
  EXPECT_EQ(found.counts[0].name, "a.md");
  EXPECT_EQ(found.counts[1].name, "../c.md");
  EXPECT_EQ(found.counts[1].fingerprint, "") << "of an earlier version";
  EXPECT_EQ(found.strata.size(), 2u);
}

TEST(BoundsReader, NamesWithCommasSpacesAndQuotesComeBack) {
  const std::string digest(64, 'd');
  const std::vector<CountedCampaign> counted = {
      {"a, b.md", digest}, {"c \"d\".md", ""}, {"e (f), \"g.md", digest}};
  const FoundBounds found = parse_bounds(
      with("| protocol | fault", "3 of these runs are this campaign's own; the others are those of " +
                                     counted_text(counted) + ".\n\n| protocol | fault"),
      "b.md");
  ASSERT_EQ(found.counts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.counts[i].name, counted[i].name);
    EXPECT_EQ(found.counts[i].fingerprint, counted[i].fingerprint);
  }
}

TEST(BoundsReader, ReadsHitsInFlightAndRunsWithoutResult) {
  std::string page =
      with("guard only.\n", "guard only.\n3 runs have no result, so.\n2 hits were in flight when.\n");
  const auto replace = [&](const std::string& what, const std::string& instead) {
    page.replace(page.find(what), what.size(), instead);
  };
  replace("by the guard | failed", "by the guard | in flight | failed");
  replace("| 7 | 4 | 1 |", "| 7 | 4 | 2 | 1 |");
  replace("| 0 | 0 | 0 | 0 | 0.35", "| 0 | 0 | 0 | 0 | 0 | 0.35");
  const FoundBounds found = parse_bounds(page, "b.md");
  EXPECT_EQ(found.without_result, 3u);
  EXPECT_EQ(found.strata.at({"fcr", "link", "permanent", "head", "one"}).in_flight, 2u);
  EXPECT_EQ(found.strata.at({"fcr", "link", "permanent", "head", "one"}).failed, 1u);
  EXPECT_NE(found.fingerprint, parse_bounds(kPage, "b.md").fingerprint);
  EXPECT_EQ(parse_bounds("More text.\n" + kPage, "c.md").fingerprint,
            parse_bounds(kPage, "b.md").fingerprint);
  replace("2 hits were in flight", "3 hits were in flight");
  EXPECT_NE(refusal_of(page).find("its table has 2 hits in flight, and its first lines say 3"), page.npos);
}

TEST(BoundsReader, RefusesWhatNoCampaignHasWritten) {
  EXPECT_NE(refusal_of("").find("b.md: has no table of bounds"), std::string::npos);
  EXPECT_NE(refusal_of(kPage.substr(0, kPage.find("1 hits failed"))).find("has no table"), std::string::npos);
  EXPECT_NE(refusal_of(with("12 runs", "-12 runs")).find("has no table"), std::string::npos);
  EXPECT_NE(refusal_of(with("12 runs", "9223372036854775807 runs")).find("has no table"), std::string::npos);
  EXPECT_NE(refusal_of(with("2 more runs", "99999999999999999999 more runs")).find("has no table"),
            std::string::npos);
  EXPECT_EQ(refusal_of(with("| fcr | link", "| fcp | link")),
            "b.md:10: the row is not a stratum of this version; restore the file");
  EXPECT_EQ(refusal_of(with("| 53 |", "| 5x |")), "b.md:10: the row has '5x' for a count; restore the file");
  EXPECT_EQ(refusal_of(with("| 7* |", "| -7 |")), "b.md:11: the row has '-7' for a count; restore the file");
  EXPECT_EQ(refusal_of(with("| 7* |", "| 18446744073709551615 |")),
            "b.md:11: the row has '18446744073709551615' for a count; restore the file");
  EXPECT_EQ(refusal_of(with("| 0 | 7 | 4 |", "| 0 | 70 | 4 |")),
            "b.md:10: the row has 70 of 53 hits; restore the file");
  EXPECT_EQ(refusal_of(with("| 0.09 |", "| 0.09 | 1 |")),
            "b.md:10: the row has 12 cells instead of 11; restore the file");
  EXPECT_EQ(refusal_of(with("node | transient | body | in-sequence", "link | permanent | head | one")),
            "b.md:11: the row has a stratum that is above it too; restore the file");
  // A row that is lost, or changed, does not go unseen.
  EXPECT_NE(refusal_of(with("| 53 |", "| 54 |")).find("its table has 61 hits in 2 strata"),
            std::string::npos);
  EXPECT_NE(refusal_of(kPage.substr(0, kPage.find("| fcr | node"))).find("its table has 53 hits in 1 strata"),
            std::string::npos);
}

}  // namespace
}  // namespace flitmend
