// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// What a foreign router has done wrong at one of its channels.
enum class ViolationKind : std::uint8_t {
  credit_overflow,  ///< a flit leaves without a credit
  credit_returned,  ///< a credit is returned for a slot that holds no flit
  buffer_overflow,  ///< a flit arrives at a full buffer, because credits have been returned too often
  no_head,          ///< a flit that is not a head leaves on a virtual channel that no message holds
  interleaving,     ///< flits of two messages are mixed on a virtual channel
  missing_tail,     ///< the tail of a message has not left
  invented,         ///< a flit leaves that has not entered, or has left before
  lost,             ///< a flit has entered and does not leave
  altered,          ///< a flit leaves with other contents than it had
  misrouted,        ///< a head takes a way that the routing function does not give
  starvation,       ///< a flit that could leave waits for longer than the bound
  two_flits         ///< two flits leave at one port in one cycle, or while its link is busy with the first
};
const char* to_string(ViolationKind);

struct ContractViolation {
  ViolationKind kind;
  RouterId router;
  unsigned port;
  unsigned vc;
  Cycle cycle;
  std::string text;  ///< says all of this, and which message is concerned
};

}  // namespace flitmend
