// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/protocol.h"

namespace flitmend {

RecoveryEntry sbrp_1_recovery() {
  constexpr sbrp::Kind kKind{.sub_messages = true, .receiver_asks = false};
  return sbrp::entry<kKind>("sbrp-1", "the router before a fault asks the sender for what has not passed");
}

}  // namespace flitmend
