// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "base/survey_progress.h"

namespace flitmend {

/// A directed graph as successor lists, each ascending and without duplicates.
using Digraph = std::vector<std::vector<std::uint32_t>>;

std::size_t edge_count(const Digraph&);

/// The component number of every vertex, components in reverse topological order [Tarjan72]; O(V + E).
std::vector<std::uint32_t> strong_components(const Digraph&);

/// The vertices of a shortest cycle in order; empty if there is none. Among the shortest, the one with the
/// lowest vertex, starting there. O(V + E) without a cycle. Reports vertices to the listener.
std::vector<std::uint32_t> shortest_cycle(const Digraph&, SurveyListener* = nullptr);

/// Every vertex after all its successors; empty if there is a cycle. This is the order of a proof of deadlock
/// freedom.
std::vector<std::uint32_t> order_after_successors(const Digraph&);

}  // namespace flitmend
