// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"

namespace flitmend {

/// Is told what the token of recovery from deadlock does.
class TokenObserver {
 public:
  virtual ~TokenObserver() = default;
  /// In cycle t the head at the front of that input virtual channel has captured the token. Until the end of
  /// the cycle it waits for an output virtual channel as before.
  virtual void token_captured(Cycle t, RouterId, unsigned input_id) = 0;
};
/// Those of a network: NetworkContext::shared<TokenObservers>().
using TokenObservers = std::vector<TokenObserver*>;

}  // namespace flitmend
