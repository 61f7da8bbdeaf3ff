// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/digraph.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// The escape subfunction R1 (the candidates flagged as escape) and its extended channel dependency graph
/// [Duato93]. ci → cj iff a message that acquired ci ∈ C1, through any candidate, made m ≥ 0 hops over
/// candidates not flagged as escape and then has cj as an escape candidate: m = 0 is a direct dependency, m >
/// 0 an indirect one. If R1 leads to the destination from every state and the graph has no cycle, no deadlock
/// can form, provided that a waiting head may take any free candidate and that a virtual channel is given to
/// a new message only when it is empty. With packets that fit in a virtual channel (cut-through) only the
/// direct dependencies count [Duato96].
struct ExtendedGraph {
  std::vector<ChannelId> escape_channels;  ///< C1, ascending; graph vertices are indices into this list
  bool connected = false;  ///< every state has an escape, and escapes alone lead to the destination
  Digraph direct;
  Digraph indirect;

  /// Direct and indirect edges together.
  Digraph wormhole() const;
  const Digraph& cut_through() const { return direct; }
};

/// O(destinations · points · |C1| / 64) for minimal algorithms; memory |C1|·(|C1| + points)/4 bytes. Reports
/// destinations to the listener, each twice.
ExtendedGraph extended_graph(const RoutingFunction&, const ChannelMap&, const FaultSet* faults = nullptr,
                             SurveyListener* = nullptr);

}  // namespace flitmend
