// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// The extended channel dependency graph of the escape channels (protocols/deadlock/escape_order.h), every
/// dependency of it, to compare the checker's order with. The memory is |C1|·(|C1| + points)/4 bytes.
struct ExtendedGraph {
  std::vector<ChannelId> escape_channels;  ///< C1, ascending; graph vertices are indices into this list
  Digraph direct;
  Digraph indirect;

  /// Direct and indirect edges together.
  Digraph wormhole() const;
  const Digraph& cut_through() const { return direct; }
};

ExtendedGraph extended_graph(const RoutingFunction&, const ChannelMap&);

}  // namespace flitmend
