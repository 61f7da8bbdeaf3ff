// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/guard.h"
#include "protocols/recovery/settings.h"
#include "rtl_tlm/interfaces/interface_recovery.h"

namespace flitmend::sbrp {

/// Flits of a recovery request, its acknowledgement, and the guard's acknowledgement.
inline constexpr std::uint32_t kControlLength = 4;

/// Types of control messages (ProtocolFields::control).
enum Control : std::uint8_t { kRequest = 1, kAcknowledgement, kGuardAcknowledgement };

/// ProtocolFields::flags of a request.
inline constexpr std::uint8_t kSilent = 1;   ///< nothing has arrived for ask_timeout
inline constexpr std::uint8_t kNoRoute = 2;  ///< a head found no route
/// … and of an acknowledgement.
inline constexpr std::uint8_t kFinished = 1;  ///< the sender is done with the message

extern const OptionKey kComposeOverhead, kReceiveOverhead;
extern const OptionKey kAskTimeout, kRepeatTimeout;  ///< of UTP, too

/// What makes the difference between the three protocols.
struct Kind {
  /// SBRP-1 and -2: a message is continued in sub-messages, which have an FSN flit. SBRP-0: it is sent again
  /// as a whole, and receivers drop pieces.
  bool sub_messages = false;
  /// SBRP-2: the receiver asks as soon as a piece ends. SBRP-0 and -1: the router before the fault asks.
  bool receiver_asks = false;
  /// UTP: routers restart what a fault has cut. The FSN is in the head of a packet, and nobody asks.
  bool routers_restart = false;
};

/// What the ends of one protocol need to know.
struct Parameters : Kind {
  Cycle compose = 0;  ///< overhead of a request where it is made
  Cycle receive = 0;  ///< and where it is received
  Cycle ask_timeout = 0;
  Cycle repeat_timeout = 0;
  unsigned most_doublings = 0;  ///< of both
  RetryLimit retry_limit;
  Guard guard;

  static Parameters from(const RecoverySettings&, const Kind&);

  /// Cycles that a request waits for its acknowledgement after it has been sent `times_sent` times. The limit
  /// leaves time to lose several requests in a row before the guard sends the whole message.
  Cycle repeat_wait(std::uint32_t times_sent) const;

  /// Flits by which a packet can be longer than its message.
  std::uint32_t extra_flits() const { return has_fsn(1) ? 1 : 0; }

  /// Whether that piece of a message has an FSN flit.
  bool has_fsn(std::uint16_t sub_message) const {
    return sub_messages && !routers_restart && sub_message > 0;
  }
  /// Flits before the first data flit.
  std::uint32_t header(std::uint16_t sub_message) const { return has_fsn(sub_message) ? 2 : 1; }
  /// Flits of a packet with the data flits from `first` on.
  std::uint32_t packet_length(std::uint32_t length, std::uint16_t sub_message, std::uint32_t first) const {
    return has_fsn(sub_message) || first > 0 ? header(sub_message) + data_flits(length) - first + 1 : length;
  }
  /// The first data flit to send again. `lost`: as many flits as can be lost beyond
  /// C. Where routers restart, none is.
  std::uint32_t restart(const CutMessage&, std::uint32_t lost) const;
};

}  // namespace flitmend::sbrp
