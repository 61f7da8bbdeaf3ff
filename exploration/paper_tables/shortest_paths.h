// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "exploration/paper_tables/paper_table.h"

namespace flitmend {

/// What a routing that knows every fault would do: a witness that shares nothing with a routing algorithm but
/// the network and its faults.
struct ShortestPaths {
  double deviation_percent = 0;     ///< mean of (length − Lee distance) / Lee distance over connected pairs
  double disconnected_percent = 0;  ///< of all ordered pairs of healthy nodes
};

/// Breadth-first search from every healthy node of the k-ary 3-cube, over the first fault sets that
/// probability_routing_statistics() draws for the same seed: as many as fit into some 10^7 pairs, at most
/// 1,000. NaN if no pair is connected.
ShortestPaths shortest_paths(std::uint32_t k, std::uint32_t faults, const PaperTableOptions& options);

}  // namespace flitmend
