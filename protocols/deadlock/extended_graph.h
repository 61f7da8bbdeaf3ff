// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/digraph.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// The escape subfunction R1 (the candidates flagged escape) and its extended channel dependency graph
/// (Duato). ci → cj iff a message that acquired ci ∈ C1, by whatever candidate, made m ≥ 0 hops by candidates
/// not flagged escape and then has cj as an escape candidate: m = 0 direct, m > 0 indirect. Where R1 leads to
/// the destination from every state and the graph has no cycle, no deadlock can form, provided that a waiting
/// head may take any free candidate and that a virtual channel is given to a new message only when it is
/// empty. Packets that fit a virtual channel whole (cut-through) have the direct dependencies alone.
struct ExtendedGraph {
  std::vector<ChannelId> escape_channels;  ///< C1, ascending; the vertices of the graphs are indices into it
  bool connected = false;                  ///< every state has an escape, and escapes alone arrive
  Digraph direct;
  Digraph indirect;

  /// Direct and indirect edges together.
  Digraph wormhole() const;
  const Digraph& cut_through() const { return direct; }
};

/// O(destinations · points · |C1| / 64) for minimal algorithms; memory |C1|²/4 bytes.
ExtendedGraph extended_graph(const RoutingFunction&, const ChannelMap&, const FaultSet* faults = nullptr);

}  // namespace flitmend
