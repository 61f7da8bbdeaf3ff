// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/protocol.h"

namespace flitmend {

RecoveryEntry sbrp_0_recovery() {
  constexpr sbrp::Kind kKind{.sub_messages = false, .receiver_asks = false};
  return sbrp::entry<kKind>("sbrp-0",
                            "the router before a fault asks the sender for the whole message again");
}

}  // namespace flitmend
