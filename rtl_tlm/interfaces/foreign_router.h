// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// A router of your own in a Fabric: usually an sc_module around it, made by a RouterFactory. The fabric
/// calls it in its clocked process, so it needs no process of its own. Everything that it does, it does
/// through its RouterBoundary.
class ForeignRouter {
 public:
  virtual ~ForeignRouter() = default;
  /// The rising edge of cycle t: takes what has arrived, sends flits, returns credits.
  virtual void evaluate(Cycle t) = 0;
  /// All routers have been evaluated in cycle t: what arrives in cycle t + 1 is now on the channels, and can
  /// be put on pins.
  virtual void cycle_done(Cycle t) { static_cast<void>(t); }
  /// A reset of the fabric at the rising edge of cycle t, called instead of the two above: everything in the
  /// router is lost.
  virtual void clear(Cycle t) = 0;
};

/// What a router's cycle is replaced by where the router is foreign.
class ReplacedCycle {
 public:
  virtual void evaluate(Cycle) = 0;

 protected:
  ~ReplacedCycle() = default;
};

}  // namespace flitmend
