// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <vector>

#include "protocols/deadlock/channels.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// An edge of the extended channel dependency graph [Duato93]: a message that has acquired the escape channel
/// `from` may come to want the escape channel `to`.
struct EscapeDependency {
  ChannelId from, to;
  bool indirect;  ///< it has acquired channels by other candidates in between
  bool cross;     ///< it has acquired `from` by another candidate, not as an escape
  friend auto operator<=>(const EscapeDependency&, const EscapeDependency&) = default;
};

/// All of them, ascending, over all destinations; of parallel ones, direct and not cross comes first. For
/// small networks: their number grows with the square of the channels. Proofs use EscapeOrder.
std::vector<EscapeDependency> escape_dependencies(const RoutingFunction&, const ChannelMap&,
                                                  const FaultSet* faults = nullptr);

}  // namespace flitmend
