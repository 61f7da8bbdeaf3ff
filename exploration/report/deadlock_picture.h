// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "protocols/deadlock/checker.h"

namespace flitmend {

/// The most channels between routers that a picture can show: with more it is a grey area.
inline constexpr std::uint64_t kMostPicturedChannels = 40'000;

/// What an analysis has found, as far as it can be drawn.
enum class DeadlockFinding : std::uint8_t {
  deadlock,  ///< messages that wait for each other
  order,     ///< every channel of the proof depends on channels of lower rank only
  cycle,     ///< channels each of which depends on the next
  nothing
};
DeadlockFinding finding_of(const DeadlockAnalysis&);

/// What an analysis has found, drawn on the map of the network (network_map.h), as SVG. A deadlock: the
/// channels that each of its messages holds, in a colour and with a number, and those that it waits for,
/// dashed. A cycle: its channels in red, numbered along it. An order: every channel of the proof in the
/// colour of its rank; of several virtual channels the lowest rank. What is not part of it is grey. `title`
/// is a line above the picture.
std::string deadlock_picture(const DeadlockAnalysis&, const RoutingFunction&, const ChannelMap&,
                             const std::string& title);

}  // namespace flitmend
