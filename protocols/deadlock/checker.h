// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "protocols/deadlock/blocked_states.h"
#include "protocols/deadlock/channels.h"
#include "protocols/deadlock/proof_listener.h"
#include "protocols/deadlock/route_checks.h"

namespace flitmend {

enum class DeadlockVerdict { free, can_deadlock, not_proved };
const char* to_string(DeadlockVerdict);

/// The argument for a verdict, in the order in which they are tried.
enum class DeadlockArgument {
  dependency_graph,      ///< free: the channel dependency graph has no cycle [Dally87]
  escape_channels,       ///< free: R1 is connected and its extended graph has no cycle [Duato93]
  wormhole_fixpoint,     ///< free: no set of states can block each other with messages of any length
  cut_through_fixpoint,  ///< free for packets that fit in a virtual channel; or a legal deadlock, shown
  wormhole_search,       ///< a legal deadlock of messages over several channels, shown
  no_head_waits,         ///< free: heads go back rather than wait, so nothing waits for a channel
  none,                  ///< not proved
};
const char* to_string(DeadlockArgument);

struct DeadlockOptions {
  /// Whole packets fit in a virtual channel (virtual cut-through, store-and-forward).
  bool cut_through = false;
  const FaultSet* faults = nullptr;   ///< static faults, known to the routing function
  ProofListener* listener = nullptr;  ///< receives progress; not owned, may be null
  /// Messages hold all channels from their source to their head, and release them only after the head has
  /// arrived (pipelined circuit switching, APCS). Not with cut_through.
  bool whole_paths = false;
  /// A head that finds its channels busy goes back, releases what it holds, and tries again later.
  bool heads_go_back = false;
  /// Goes through every destination even if the routing function declares classes of destinations
  /// (DestinationClasses), or mirrors (MirroredRouting).
  bool without_classes = false;
  bool without_mirrors = false;
  /// The verdict and the routes only: no shortest cycle, and no messages that show a deadlock.
  bool brief = false;
  /// Only the arguments by an order of channels: the dependency graph and the escape channels.
  bool orders_only = false;
};

/// What `flitmend check` finds out about a routing function on its topology.
struct DeadlockAnalysis {
  /// The escape subfunction, if there are escape candidates and the plain graph has a cycle.
  struct Escape {
    bool connected = false;  ///< every state has an escape, and escapes alone lead to the destination
    std::size_t channels = 0;
    std::vector<ChannelId> cycle;  ///< a cycle of the extended graph (escape_order.h); empty: acyclic
  };

  DeadlockVerdict verdict = DeadlockVerdict::not_proved;
  DeadlockArgument argument = DeadlockArgument::none;
  /// "free" requires that a virtual channel is given to a new message only when it is empty (or cut-through).
  bool needs_atomic_reallocation = false;
  RouteChecks routes;
  std::size_t channels = 0;
  std::size_t dependencies = 0;
  std::vector<ChannelId> cycle;  ///< a shortest cycle of the plain graph; empty: acyclic
  /// The proof by the dependency graph, or by the escape channels: by channel its rank in an order in which
  /// every dependency leads to a lower rank, from 1; 0: not an escape channel. Empty: there is no order.
  std::vector<std::uint32_t> ranks;
  std::optional<Escape> escape;
  std::optional<std::size_t> wormhole_blocked;     ///< blocked states of the fixpoint, if computed
  std::optional<std::size_t> cut_through_blocked;  ///< likewise
  std::vector<BlockedMessage> deadlock;            ///< a legal deadlock, if one was found
};

/// Exhaustive over destinations, states and channels of the given topology, on all processors. Throws
/// Interrupted if the listener stops it. Without faults, the classes of destinations that the routing
/// function declares are enough if they prove freedom from deadlock; else one of several destinations that
/// are mirror images of each other is.
DeadlockAnalysis analyse_deadlock(const RoutingFunction&, const ChannelMap&, const DeadlockOptions& = {});

/// Messages that block each other as lines of text, channels by name.
std::string describe(const std::vector<BlockedMessage>&, const Topology&, const ChannelMap&);

/// The findings as lines of text, channels by name.
std::string describe(const DeadlockAnalysis&, const RoutingFunction&, const ChannelMap&);

}  // namespace flitmend
