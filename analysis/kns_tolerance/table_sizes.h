// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "analysis/survey_progress.h"
#include "protocols/routing/intermediate_nodes/tables.h"

namespace flitmend {

/// Sizes of one form of routing table over all sources of a network.
struct TableSizeSummary {
  TableSize largest;  ///< what every router must have, if all are built alike
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

/// The three forms of table that hold the same choices of intermediate nodes.
struct KnsTableSizes {
  TableSizeSummary linear;
  TableSizeSummary destination;
  TableSizeSummary masked;
  std::uint64_t unreachable = 0;  ///< ordered pairs for which the tables hold no way
};

/// Builds all tables of all sources, on `jobs` threads (0: one a processor; never changes a result).
/// O(N²·n) where faults are few. Throws ConfigurationError where a form does not hold the network. `listener`
/// hears of sources.
KnsTableSizes kns_table_sizes(const IntermediateChooser& chooser, unsigned jobs,
                              SurveyListener* listener = nullptr);

}  // namespace flitmend
