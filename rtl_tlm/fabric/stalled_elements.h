// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"

namespace flitmend {

class Fabric;

/// What an element has not done yet.
enum class Stall : std::uint8_t {
  request_not_accepted,   ///< no END_REQ from a target
  request_not_answered,   ///< no BEGIN_RESP from a target
  response_not_accepted,  ///< no END_RESP from an initiator
};

/// An element that a transaction waits for.
struct StalledElement {
  Stall stall = Stall::request_not_accepted;
  NodeId node = 0;
  unsigned number = 0;       ///< of the target or initiator at its node
  Cycle since = 0;           ///< the cycle of the BEGIN_REQ or BEGIN_RESP
  std::size_t requests = 0;  ///< of a target: those that it has been handed or that are next
};

/// Those of a fabric, by node. A target that has not accepted its last request, and has not answered an older
/// one either, is there twice.
std::vector<StalledElement> stalled_elements(const Fabric&);

/// A message about them.
std::string describe(const std::vector<StalledElement>&, const Fabric&);

}  // namespace flitmend
