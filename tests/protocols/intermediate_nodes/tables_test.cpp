// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/tables.h"

#include <gtest/gtest.h>

#include "base/random_stream.h"
#include "protocols/routing/intermediate_nodes/masked_table.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

IntermediateSettings with(unsigned max, IntermediateTies ties = IntermediateTies::random) {
  return {max, IntermediatePolicy::minimal_first, ties, 5};
}

}  // namespace

TEST(IntermediateTables, FieldsOfTheHeader) {
  const TableFields fields(KnsShape(10, 3), 2);
  EXPECT_EQ(fields.digit, 4u);
  EXPECT_EQ(fields.address, 12u);
  EXPECT_EQ(fields.list, 2u + 2 * 12);  // I is 0, 1, 2 or unreachable
  EXPECT_EQ(TableFields(KnsShape(32, 2), 1).list, 2u + 10);
}

// A faulty link (v, i) makes (k − 1)·k^(n−i−1) destinations need an intermediate from v, and (k − 1)·k^i
// sources towards v.
TEST(IntermediateTables, OneFaultGivesTheEntriesOfTheClosedForm) {
  const KnsShape shape(4, 3);
  for (unsigned i = 0; i < 3; ++i) {
    const KnsLink dead{37, i};
    const KnsFaults faults(shape, std::span(&dead, 1));
    const IntermediateChooser chooser(faults, with(2));
    EXPECT_EQ(DestinationTable(chooser, 37).size().entries, 3 * shape.power(2 - i));
    std::uint64_t sources = 0;
    for (std::uint32_t s = 0; s < 64; ++s) {
      if (s == 37) continue;
      sources += !DestinationTable(chooser, s).lookup(37).plain();
    }
    EXPECT_EQ(sources, 3 * shape.power(i));
  }
}

TEST(IntermediateTables, SizesInBits) {
  const KnsLink dead{0, 0};
  const KnsFaults faults(KnsShape(32, 2), std::span(&dead, 1));
  const IntermediateChooser chooser(faults, with(1));
  EXPECT_EQ(LinearTable(chooser, 0).size().entries, 1024u);
  EXPECT_EQ(LinearTable(chooser, 0).size().bits, 1024u * (2 + 10));
  EXPECT_EQ(DestinationTable(chooser, 0).size().entries, 31u * 32);
  EXPECT_EQ(DestinationTable(chooser, 0).size().bits, 31u * 32 * (10 + 2 + 10));
  // One entry keeps its own column plain; one entry per row leads to that row's router of the column.
  const MaskedTable masked(chooser, 0);
  EXPECT_EQ(masked.size().entries, 33u);
  EXPECT_EQ(masked.size().bits, 33u * (2 * 10 + 1 + 2 + 10));
}

TEST(IntermediateTables, OneMaskedEntryServesAWholeRow) {
  const KnsLink dead{5, 0};
  const KnsFaults faults(KnsShape(8, 2), std::span(&dead, 1));
  const IntermediateChooser chooser(faults, with(1));
  const MaskedTable masked(chooser, 5);
  ASSERT_EQ(masked.size().entries, 9u);
  // Its own column stays plain, with a higher priority than the other rows.
  int column = 0, rows = 0;
  for (const MaskedEntry& entry : masked.entries()) {
    if (entry.list.plain()) {
      ++column;
      EXPECT_EQ(entry.mask, 7u);
      EXPECT_EQ(entry.id & 7, 5u);
    } else if ((entry.id >> 3) != 0) {
      ++rows;
      EXPECT_EQ(column, 1);
    }
  }
  EXPECT_EQ(column, 1);
  EXPECT_EQ(rows, 7);
  // The seven other routers of its own row are reached through the same router of the column.
  int own_row = 0;
  for (const MaskedEntry& entry : masked.entries())
    if (entry.mask == 7u << 3 && (entry.id & entry.mask) == 0) {
      ++own_row;
      ASSERT_EQ(entry.list.count, 1);
      EXPECT_EQ(entry.list.nodes[0] % 8, 5u);
    }
  EXPECT_EQ(own_row, 1);
}

TEST(IntermediateTables, AFaultlessSourceNeedsNoEntry) {
  const KnsFaults faults(KnsShape(4, 2));
  const IntermediateChooser chooser(faults, with(1));
  EXPECT_EQ(DestinationTable(chooser, 3).size().entries, 0u);
  EXPECT_EQ(MaskedTable(chooser, 3).size().entries, 0u);
  EXPECT_TRUE(MaskedTable(chooser, 3).lookup(9).plain());
}

TEST(MaskedEntry, OptionFlagTurnsTheComparisonRound) {
  MaskedEntry entry{0x23, 0xf0, true, {}};
  EXPECT_TRUE(entry.hits(0x2f));
  EXPECT_FALSE(entry.hits(0x13));
  entry.equal = false;
  EXPECT_FALSE(entry.hits(0x2f));
  EXPECT_TRUE(entry.hits(0x13));
}

// All three tables answer for every destination: the first two exactly as the chooser does, masked tables
// with an equally good list.
TEST(IntermediateTables, AllFormsLeadToEveryDestination) {
  struct Case {
    std::uint32_t k, n;
    unsigned dead;
  };
  std::uint32_t index = 0;
  std::uint64_t masked_entries = 0, destination_entries = 0;
  bool unreachable = false;
  for (const Case& c :
       {Case{6, 2, 4}, Case{8, 2, 20}, Case{4, 3, 6}, Case{3, 3, 30}, Case{2, 5, 9}, Case{9, 1, 1}})
    for (const auto ties : {IntermediateTies::random, IntermediateTies::first}) {
      const KnsShape shape(c.k, c.n);
      KnsFaults faults(shape);
      RandomStream random(3, RandomPurpose::test, ++index);
      for (unsigned f = 0; f < c.dead; ++f)
        faults.fail({random.below(shape.node_count()), random.below(c.n)});
      const IntermediateChooser chooser(faults, with(1 + index % 2, ties));
      for (std::uint32_t s = 0; s < shape.node_count(); ++s) {
        const LinearTable linear(chooser, s);
        const DestinationTable by_destination(chooser, s);
        const MaskedTable masked(chooser, s);
        masked_entries += masked.size().entries;
        destination_entries += by_destination.size().entries;
        for (std::uint32_t d = 0; d < shape.node_count(); ++d) {
          const IntermediateChain chosen = chooser.choose(s, d);
          unreachable |= !chosen.reachable;
          EXPECT_EQ(linear.lookup(d), static_cast<const IntermediateList&>(chosen));
          EXPECT_EQ(by_destination.lookup(d), static_cast<const IntermediateList&>(chosen));
          if (s != d) {
            EXPECT_TRUE(chooser.as_good(s, d, chosen, masked.lookup(d))) << s << " to " << d;
          }
        }
      }
    }
  EXPECT_LT(masked_entries, destination_entries);
  EXPECT_TRUE(unreachable);
}

TEST(IntermediateTables, RefusesMaskedTablesOfHugeNetworks) {
  const KnsFaults faults(KnsShape(2, 16));
  const IntermediateChooser chooser(faults, {1, IntermediatePolicy::fewest, IntermediateTies::first, 1});
  EXPECT_EQ(test::message_of([&] { MaskedTable(chooser, 0); }),
            "KNS(2, 16) is too large for masked tables: (k + 1)^n is above 262144");
}

}  // namespace flitmend
