// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/protocol.h"

namespace flitmend {

RecoveryEntry sbrp_2_recovery() {
  constexpr sbrp::Kind kKind{.sub_messages = true, .receiver_asks = true};
  return sbrp::entry<kKind>("sbrp-2", "the receiver of a broken piece asks the sender for the rest");
}

}  // namespace flitmend
