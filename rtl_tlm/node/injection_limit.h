// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

class Router;

/// Injection limitation "at least one", ALO [Baydal05], between the source queue and the router of a node. A
/// port and a virtual channel are useful to a message if they belong to one of its candidates at the source.
/// A message may enter if each of its useful ports has a free useful virtual channel, or if all virtual
/// channels of one useful port are free. It sees the output virtual channels as they were at the end of the
/// previous cycle.
class InjectionLimit {
 public:
  explicit InjectionLimit(Router& router);

  /// Whether a message that would enter on that virtual channel of the local port may enter now. Faulty ports
  /// do not count. A message without a healthy candidate may enter: what happens to it is decided there.
  bool admits(const Message&, unsigned vc);

 private:
  Router& router_;
  std::vector<RouteCandidate> candidates_;
  std::vector<VcMask> useful_;  ///< by port; all 0 between two calls
};

}  // namespace flitmend
