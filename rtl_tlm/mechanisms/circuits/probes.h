// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Heads of pipelined circuits that never wait for a channel (router.busy). A head requests a virtual
/// channel in each cycle while one is free that it may take; when none is, it goes back over the
/// complementary channel and releases what it had reserved.
///
///   retry      [SBRP section 2.3.1] it goes back to its source at once
///   backtrack  [Gaughan95] it goes back by one hop, and tries the other ports there. Each router on its path
///              remembers which ports it has taken (Circuit::tried). With an algorithm that offers all
///              productive ports this is exhaustive profitable backtracking (EPB), with m misroutes it is
///              MB-m
///
/// At its source it waits a random time and begins again. Data wait there, so nothing but the head has to
/// come back. A search that has met no channel of another message, only dead ports and channels of its own
/// path, would end the same way again: the message is undeliverable. Static functions on a router's
/// registers, with RouterShape::heads_go_back.
class Probes {
 public:
  /// What the head at the front of an input virtual channel finds at the ports that it may take: the first of
  /// these that one of them has.
  enum class Found {
    free,
    draining,  ///< no message holds the channel, but flits or credits of the last one are still on their way
    busy,      ///< another message holds it
    own_path,  ///< the head's own path goes through it, so it stays taken while the search goes on from here
    dead_end
  };
  /// Also without RouterShape::heads_go_back.
  static Found look(RouterState, unsigned input_id);
  /// Candidates that depend on other messages (RoutingFunction::looks_at_outputs) have been computed. If
  /// other messages hold channels of this router, they count as having been in the way.
  static void routed(RouterState, unsigned input_id);
  /// A head takes a candidate. It will not take the same port again, so one there whose channels another
  /// message holds has been in its way.
  static void granted(RouterState, unsigned input_id);
  /// The head at the front of an input virtual channel requests a route, or a virtual channel: sends it back
  /// if all that it may take are busy. True: it is at its source, and its message cannot be delivered.
  static bool turn_back(RouterState&, Cycle, unsigned input_id, RandomStream&);
  /// Control lines have arrived at the output of a port: heads may have come back.
  static void arrived(RouterState&, Cycle, unsigned port);
};

}  // namespace flitmend
