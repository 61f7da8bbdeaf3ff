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
/// come back. A search that has met no busy channel, only dead ports, would end the same way again: the
/// message is undeliverable. Static functions on a router's registers, with RouterShape::heads_go_back.
class Probes {
 public:
  /// What the head at the front of an input virtual channel finds at the ports that it may take. Also without
  /// RouterShape::heads_go_back.
  enum class Found { free, busy, dead_end };
  static Found look(RouterState, unsigned input_id);
  /// The head at the front of an input virtual channel requests a route, or a virtual channel: sends it back
  /// if all that it may take are busy. True: it is at its source, and its message cannot be delivered.
  static bool turn_back(RouterState&, Cycle, unsigned input_id, RandomStream&);
  /// Control lines have arrived at the output of a port: heads may have come back.
  static void arrived(RouterState&, Cycle, unsigned port);
};

}  // namespace flitmend
