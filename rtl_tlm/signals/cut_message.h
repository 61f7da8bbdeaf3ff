// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// What the head-copy register says of a packet that a fault has cut: its fields are those of the packet,
/// which may be one piece of a message. Values, not a descriptor: what remembers them can outlive the
/// message.
struct CutMessage {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t id = 0;      ///< of the message, counted at the source (Message::id of the packet)
  std::uint32_t length = 0;  ///< flits of the packet, head and tail included
  std::uint32_t first = 0;   ///< FSN: number of the packet's first data flit within the message
  /// Flits of the packet that have left for the faulty router, its head included; broken tails do not count.
  /// The last HardwareParameters::flits_between() of them may be lost.
  std::uint32_t count = 0;
  std::uint16_t sub_message = 0;  ///< SSNF
  bool no_route = false;          ///< its head waited too long at a faulty port, and was absorbed; count is 0
  friend bool operator==(const CutMessage&, const CutMessage&) = default;
};

/// What the head of a packet says about it, and that `count` of its flits have left.
CutMessage cut_message(const MessagePool&, MessageIndex packet, std::uint32_t count);

/// What a router or an injector remembers of a packet after flits of it have left: what the head-copy
/// register and the flit counter said of it.
struct SentPacket {
  CutMessage packet;
  bool control = false;  ///< a control message of the protocol: nobody asks for it
};
SentPacket sent_packet(const MessagePool&, MessageIndex packet, std::uint32_t count);

}  // namespace flitmend
