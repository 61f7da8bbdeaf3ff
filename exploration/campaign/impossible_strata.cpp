// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/impossible_strata.h"

#include "protocols/recovery/registry.h"

namespace flitmend {

std::string why_impossible(const Stratum& s) {
  const RecoveryEntry& protocol = recovery_protocols().at(s.protocol);
  if (s.phase == "control" && !protocol.needs.control_messages) return "the protocol has no control messages";
  if (s.phase == "retransmission" && !protocol.traits.resends_whole && !protocol.traits.resends_part)
    return "nothing is sent again";
  if (s.phase == "tail" && protocol.needs.padding)
    return "a padded message has arrived before its tail leaves the source, so its tail counts as a "
           "retransmission";
  if (s.phase == "absorption" && s.overlap == "one") return "a packet that is absorbed was hit before";
  return {};
}

}  // namespace flitmend
