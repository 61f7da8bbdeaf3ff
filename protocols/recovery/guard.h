// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "base/backoff.h"
#include "protocols/recovery/retry_limit.h"
#include "protocols/recovery/settings.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// The guard above a recovery protocol: a timer per message, at its sender. When it ends, the whole message
/// is sent again.
struct Guard {
  enum class Acknowledgement : std::uint8_t {
    assumed,  ///< the replies of the processing elements serve: the timer stops when the message is delivered
    real,     ///< a message from the receiver
    off       ///< no guard, and no answer to a sender
  };

  Acknowledgement acknowledgement = Acknowledgement::assumed;
  Cycle timeout = 0;
  unsigned most_doublings = 0;
  RetryLimit retry_limit;  ///< of its timeouts

  static Guard from(const RecoverySettings& s) {
    return {.acknowledgement = s.guard_acknowledgement == "off"    ? Acknowledgement::off
                               : s.guard_acknowledgement == "real" ? Acknowledgement::real
                                                                   : Acknowledgement::assumed,
            .timeout = static_cast<Cycle>(s.guard_timeout),
            .most_doublings = static_cast<unsigned>(s.backoff_limit),
            .retry_limit = {static_cast<std::uint32_t>(s.retry_limit)}};
  }

  bool on() const { return acknowledgement != Acknowledgement::off; }
  bool assumed() const { return acknowledgement == Acknowledgement::assumed; }
  bool real() const { return acknowledgement == Acknowledgement::real; }
  /// More than most_doublings from the 16th timeout on: if a message and its answer need longer than the
  /// wait, copies of messages that have arrived could fill the network forever.
  unsigned doublings(unsigned timeouts) const { return backoff_doublings(timeouts, most_doublings, 16); }
  /// How long it waits after `timeouts` timeouts for a message whose flits take `sending` cycles. Without a
  /// guard, nothing tells the sender that a message has arrived. It drops the copy after the longest wait,
  /// which every request or resend restarts: a message that has not arrived by then is lost.
  Cycle wait(Cycle sending, unsigned timeouts) const {
    return (timeout + 4 * sending) << (on() ? doublings(timeouts) : most_doublings);
  }
};

}  // namespace flitmend
