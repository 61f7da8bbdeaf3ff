// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "base/survey_progress.h"
#include "protocols/routing/intermediate_nodes/tables.h"

namespace flitmend {

/// Sizes of one kind of routing table over all sources of a network.
struct TableSizeSummary {
  TableSize largest;  ///< what every router needs if all are built alike
  TableSize total;    ///< all routers together

  void add(const TableSize& one) {
    largest.entries = std::max(largest.entries, one.entries);
    largest.bits = std::max(largest.bits, one.bits);
    total.entries += one.entries;
    total.bits += one.bits;
  }
  void add(const TableSizeSummary& more) {
    largest.entries = std::max(largest.entries, more.largest.entries);
    largest.bits = std::max(largest.bits, more.largest.bits);
    total.entries += more.total.entries;
    total.bits += more.total.bits;
  }
};

/// The three kinds of table that hold the same choices of intermediate nodes.
struct KnsTableSizes {
  TableSizeSummary linear;
  TableSizeSummary destination;
  TableSizeSummary masked;
  std::uint64_t unreachable = 0;  ///< ordered pairs that the tables cannot route
};

/// Builds all tables of all sources, on `jobs` threads (0: one per processor; never changes a result).
/// O(N²·n) with few faults. Throws ConfigurationError if a table cannot hold the network. `listener` counts
/// sources.
KnsTableSizes kns_table_sizes(const IntermediateChooser& chooser, unsigned jobs,
                              SurveyListener* listener = nullptr);

}  // namespace flitmend
