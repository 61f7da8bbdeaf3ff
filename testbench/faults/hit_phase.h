// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/signals/message.h"
#include "testbench/faults/fault_plan.h"

namespace flitmend {

/// What of a message a fault hits (docs/campaign.md).
enum class HitPhase { head, body, tail, control, retransmission, absorption };

inline constexpr std::array kHitPhases = {"head", "body", "tail", "control", "retransmission", "absorption"};

std::optional<HitPhase> hit_phase_named(const std::string&);
/// "head, body, …", for messages.
std::string hit_phase_names();

/// What a fault destroys of a packet.
struct Doom {
  bool head = false;  ///< its head flit, or the only one
  bool tail = false;  ///< its tail flit
  bool data = false;
  bool path = false;  ///< it crosses the part that fails: some flits have passed, others have not
  void add(const Doom& more) {
    head |= more.head;
    tail |= more.tail;
    data |= more.data;
    path |= more.path;
  }
};

/// Whether a fault has cut a packet already.
inline bool cut_before(const MessagePool& messages, MessageIndex packet) {
  return messages[packet].incomplete && messages.loss(packet).hit != kNever;
}

/// Whether a fault has cut a packet, or an earlier packet of its message. A control message is a message of
/// its own.
inline bool hit_before(const MessagePool& messages, MessageIndex packet) {
  const MessageIndex original = messages[packet].original;
  return cut_before(messages, packet) || (original != kNoMessage && messages[original].hit);
}

/// The phase of a packet that is hit, if it does not depend on the flits destroyed. `again`: it was cut
/// before. Ask before the hit counts in the packet's message.
std::optional<HitPhase> phase_of_packet(const MessagePool&, MessageIndex packet, bool again);
/// And if it does.
HitPhase phase_of_flits(const Doom&);

/// The descriptors of all packets that a fault of that part would cut or cut again. Reads the registers and
/// changes nothing; call it before the part fails.
std::map<MessageIndex, Doom> doomed_messages(Fabric&, const FaultyPart&);

}  // namespace flitmend
