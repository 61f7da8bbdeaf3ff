// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/aim.h"

#include <algorithm>
#include <map>

#include "testbench/faults/hit_phase.h"

namespace flitmend {

Aim::Aim(const AimSettings& settings)
    : first_(phases_named(settings.phases)),
      then_(phases_named(settings.then)),
      has_then_(!settings.then.empty()),
      first_hit_(settings.first_hit) {}

Aim::Phases Aim::phases_named(const std::vector<std::string>& names) {
  Phases phases{};
  for (const std::string& name : names)
    if (const auto phase = hit_phase_named(name)) phases[static_cast<std::size_t>(*phase)] = true;
  return phases;
}

void Aim::struck(Cycle t) {
  then_until_ = has_then_ && t >= then_until_ ? t + kPatience : 0;
}

bool Aim::hits(Fabric& fabric, const FaultCandidate& candidate, Cycle t) const {
  struct Doomed {
    Doom doom;
    std::size_t groups = 0;  ///< nodes or links that would hit it
    std::size_t last = 0;    ///< the last of them, from 1
  };
  std::map<MessageIndex, Doomed> packets;
  for (std::size_t group = 0; group < candidate.size(); ++group)
    for (const FaultyPart& part : candidate[group])
      for (const auto& [index, doom] : doomed_messages(fabric, part)) {
        Doomed& packet = packets[index];
        packet.doom.add(doom);
        packet.groups += packet.last != group + 1;
        packet.last = group + 1;
      }
  const std::size_t least = std::min<std::size_t>(candidate.size(), 2);
  const MessagePool& messages = fabric.context().messages;
  const bool second = t < then_until_;
  const Phases& wanted = second ? then_ : first_;
  return std::any_of(packets.begin(), packets.end(), [&](const auto& found) {
    const auto& [index, packet] = found;
    const bool before = hit_before(messages, index);
    if (packet.groups < least || (second ? !before : first_hit_ && before)) return false;
    const HitPhase phase =
        phase_of_packet(messages, index, cut_before(messages, index)).value_or(phase_of_flits(packet.doom));
    return wanted[static_cast<std::size_t>(phase)];
  });
}

}  // namespace flitmend
