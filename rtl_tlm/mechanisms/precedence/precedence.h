// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "base/random_stream.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Allocation by class or age (router.arbitration strict, weighted, oldest-first), instead of iSLIP. The
/// separate arbiters of the switch work as those of iSLIP: in each iteration every output grants one input,
/// and every input accepts one output. An output with ClassRules chooses a class, then an input by round
/// robin over the inputs of that class; oldest-first it chooses the oldest message. An input accepts the
/// output whose message is oldest, or is most urgent; among equals by round robin. The VC allocator of a port
/// serves the heads that request it one after the other, in the same order. The link of a port with output
/// buffers chooses among the front flits of its virtual channels by the same rules. Static functions on a
/// router's registers; there is an instance of the router's cycle with them (CyclePath::ordered).
class Precedence {
 public:
  static bool built(const RouterLayout& layout) { return layout.has<rows::PrecedenceVcs>(); }
  static const PrecedenceVc& vc(const RouterState& state, unsigned id) {
    return state.row<rows::PrecedenceVcs>()[id];
  }
  static const ClassArbiter& switch_arbiter(const RouterState& state, unsigned port) {
    return state.row<rows::PrecedenceArbiters>()[2 * port];
  }
  static const ClassArbiter& vc_arbiter(const RouterState& state, unsigned port) {
    return state.row<rows::PrecedenceArbiters>()[2 * port + 1];
  }
  /// Only with output buffers.
  static const ClassArbiter& link_arbiter(const RouterState& state, unsigned port) {
    return state.row<rows::PrecedenceLinks>()[port];
  }

  /// The head at the front of an input virtual channel requests a route: its class and its age are noted.
  static void note(RouterState&, unsigned input_id);
  /// `asking`: the input virtual channels that want to send a flit. Writes those granted to `granted`, lowest
  /// first, and returns their number.
  static unsigned allocate_switch(RouterState&, const Word* asking, std::uint16_t* granted);
  /// As VcAllocator::allocate. `random`: draws the virtual channel of a head; null: by round robin.
  static void allocate_vcs(RouterState&, std::span<VcRequest>, RandomStream* random);
  /// As OutputController::arbitrate_link.
  static unsigned arbitrate_link(RouterState&, Cycle t, unsigned port);
};

}  // namespace flitmend
