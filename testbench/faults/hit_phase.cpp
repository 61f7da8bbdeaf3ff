// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/hit_phase.h"

namespace flitmend {

std::optional<HitPhase> hit_phase_named(const std::string& name) {
  for (std::size_t i = 0; i < kHitPhases.size(); ++i)
    if (name == kHitPhases[i]) return static_cast<HitPhase>(i);
  return std::nullopt;
}

std::string hit_phase_names() {
  std::string names;
  for (const char* name : kHitPhases) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

std::optional<HitPhase> phase_of_packet(const MessagePool& messages, MessageIndex index, bool again) {
  const Message& packet = messages[index];
  if (packet.kind == MessageKind::control) return HitPhase::control;
  if (again) return HitPhase::absorption;
  if (packet.original == kNoMessage) return std::nullopt;
  // A copy may be on the way although the message has arrived.
  if (messages[packet.original].hit || messages.fields(packet.original).delivered)
    return HitPhase::retransmission;
  return std::nullopt;
}

HitPhase phase_of_flits(const Doom& doom) {
  return doom.head ? HitPhase::head : doom.tail ? HitPhase::tail : HitPhase::body;
}

}  // namespace flitmend
