// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Shows what crosses the crossbar in a cycle. It moves at most one flit per cycle from each input and one to
/// each output; either may be one per port or one per virtual channel (router.crossbar).
class Crossbar {
 public:
  explicit Crossbar(const RouterState& state) : state_(state) {}

  /// Cycles from the grant to the link.
  unsigned traversal_cycles() const { return static_cast<unsigned>(state_.layout().switch_cycles); }
  /// Input virtual channel last connected to this output (kNoVc before the first flit), and the cycle.
  unsigned input_of(unsigned port) const { return state_.port(port).granted_input(); }
  Cycle connected_at(unsigned port) const { return state_.port(port).granted_at(); }

 private:
  const RouterState& state_;
};

}  // namespace flitmend
