// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/table_sizes.h"

#include <gtest/gtest.h>

#include "analysis/kns_tolerance/closed_forms.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

IntermediateSettings one_intermediate() {
  IntermediateSettings settings;
  settings.max_intermediates = 1;
  return settings;
}

std::vector<std::uint64_t> numbers(const KnsTableSizes& s) {
  std::vector<std::uint64_t> all{s.unreachable};
  for (const TableSizeSummary* form : {&s.linear, &s.destination, &s.masked})
    for (const TableSize* size : {&form->largest, &form->total}) {
      all.push_back(size->entries);
      all.push_back(size->bits);
    }
  return all;
}

}  // namespace

// One faulty link (v, i): 2(k − 1)k^(n−1) pairs in all, (k − 1)k^(n−i−1) of them from v itself.
TEST(KnsTableSizes, OneFaultCostsWhatTheClosedFormSays) {
  const KnsShape shape(6, 3);
  for (unsigned i = 0; i < 3; ++i) {
    const KnsLink dead{100, i};
    const KnsFaults faults(shape, std::span(&dead, 1));
    const IntermediateChooser chooser(faults, one_intermediate());
    const KnsTableSizes sizes = kns_table_sizes(chooser, 1);
    EXPECT_EQ(sizes.unreachable, 0u);
    EXPECT_EQ(sizes.linear.total.entries, 216u * 216u);
    EXPECT_EQ(sizes.destination.total.entries, kns_pairs_over_link(shape));
    EXPECT_EQ(sizes.destination.largest.entries, kns_destinations_cut(shape, i));
    EXPECT_LE(sizes.masked.total.entries, sizes.destination.total.entries);
    EXPECT_LT(sizes.masked.largest.entries, kns_destinations_cut(shape, 0));
  }
}

TEST(KnsTableSizes, TheNumberOfThreadsChangesNothing) {
  const KnsShape shape(5, 3);
  KnsFaults faults(shape);
  for (std::uint32_t l = 3; l < shape.link_count(); l += 29) faults.fail(shape.link(l));
  const IntermediateChooser chooser(faults, one_intermediate());
  const auto one = numbers(kns_table_sizes(chooser, 1));
  EXPECT_EQ(numbers(kns_table_sizes(chooser, 2)), one);
  EXPECT_EQ(numbers(kns_table_sizes(chooser, 5)), one);
}

TEST(KnsTableSizes, RefusesNetworksThatWouldTakeHours) {
  const KnsFaults faults(KnsShape(129, 2));
  const IntermediateChooser chooser(faults, one_intermediate());
  EXPECT_EQ(test::message_of([&] { kns_table_sizes(chooser, 1); }),
            "the tables of all routers can be built for at most 16384 routers; KNS(129, 2) has 16641; ask "
            "for the table of one router instead");
}

}  // namespace flitmend
