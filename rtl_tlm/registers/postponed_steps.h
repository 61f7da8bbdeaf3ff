// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/signals/flit.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// What routers do to the interfaces and messages of a network while other threads evaluate other routers: it
/// is done after all of them have been evaluated, in the order of routers.
struct PostponedSteps {
  /// A flit that a router hands to the interface of its node.
  struct Ejection {
    RouterId router;
    Cycle arrival;
    Flit flit;
  };
  std::vector<Ejection> ejections;
  std::vector<MessageIndex> unreachable;  ///< messages that are dropped because they have no route
};

}  // namespace flitmend
