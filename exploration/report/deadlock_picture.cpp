// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/deadlock_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "exploration/report/channel_picture.h"

namespace flitmend {
namespace {

constexpr const char* kRed = "#d62728";

/// Colours for ranks, from low to high: dark ones first, the lightest still visible on white.
constexpr std::array<std::array<int, 3>, 5> kScale = {
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {225, 190, 20}}};
/// Colours of messages [Okabe08].
constexpr std::array kMessageColours = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

std::string colour_of(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kScale.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = static_cast<int>(std::lround(kScale[low][i] + (at - static_cast<double>(low)) *
                                                               (kScale[low + 1][i] - kScale[low][i])));
  return formatted("#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

ChannelPicture::Stroke& stroke_of(ChannelPicture& picture, const ChannelMap& channels, ChannelId c) {
  return picture.stroke(channels[c].router, channels[c].port);
}

std::string draw_deadlock(const DeadlockAnalysis& a, const Topology& t, const ChannelMap& channels,
                          ChannelPicture& picture) {
  for (const bool held : {false, true})  // held channels last: they keep their message's colour
    for (std::size_t i = 0; i < a.deadlock.size(); ++i) {
      const BlockedMessage& m = a.deadlock[i];
      const std::string message = formatted("message %1% to %2%", i + 1, t.router_name(m.destination));
      for (const ChannelId c : held ? m.holds : m.wants) {
        ChannelPicture::Stroke& stroke = stroke_of(picture, channels, c);
        stroke.colour = kMessageColours[i % kMessageColours.size()];
        stroke.dashed = !held;
        if (held) stroke.label += (stroke.label.empty() ? "" : ",") + std::to_string(i + 1);
        stroke.notes.push_back(message + (held ? " holds " : " waits for ") + channels.name(c));
      }
    }
  return legend_text(
      "A deadlock: channels with the number of the message that holds them. Point at one to see who waits.");
}

std::string draw_cycle(const std::vector<ChannelId>& cycle, const ChannelMap& channels,
                       ChannelPicture& picture) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    ChannelPicture::Stroke& stroke = stroke_of(picture, channels, cycle[i]);
    const std::string number = std::to_string(i + 1);
    stroke.colour = kRed;
    stroke.label += (stroke.label.empty() ? "" : ",") + number;
    stroke.notes.push_back(number + ": " + channels.name(cycle[i]));
  }
  return legend_text("A cycle of channels: each depends on the next, the last on the first.");
}

std::string draw_order(const std::vector<std::uint32_t>& ranks, const ChannelMap& channels,
                       ChannelPicture& picture) {
  const std::uint32_t highest = *std::max_element(ranks.begin(), ranks.end());
  std::vector<ChannelId> ordered;
  for (ChannelId c = 0; c < channels.size(); ++c)
    if (ranks[c] > 0) ordered.push_back(c);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](ChannelId a, ChannelId b) { return ranks[a] < ranks[b]; });
  for (const ChannelId c : ordered) {
    ChannelPicture::Stroke& stroke = stroke_of(picture, channels, c);
    if (stroke.colour.empty()) stroke.colour = colour_of(highest > 1 ? (ranks[c] - 1.0) / (highest - 1) : 0);
    stroke.notes.push_back(formatted("%1%: rank %2%", channels.name(c), ranks[c]));
  }
  std::string legend = "<text x=\"12\" y=\"42\">rank 1</text>\n";
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps; ++i)
    legend += formatted("<rect x=\"%d\" y=\"34\" width=\"4\" height=\"9\" fill=\"%s\"/>\n", 52 + 4 * i,
                        colour_of(i / (kSteps - 1.0)));
  return legend + formatted("<text x=\"%d\" y=\"42\">%d: every channel depends only on lower ranks</text>\n",
                            58 + 4 * kSteps, highest);
}

/// The cycle that prevents a proof.
const std::vector<ChannelId>& cycle_of(const DeadlockAnalysis& a) {
  return a.escape && !a.escape->cycle.empty() ? a.escape->cycle : a.cycle;
}

}  // namespace

DeadlockFinding finding_of(const DeadlockAnalysis& a) {
  if (!a.deadlock.empty()) return DeadlockFinding::deadlock;
  if (a.verdict == DeadlockVerdict::free && !a.ranks.empty()) return DeadlockFinding::order;
  return cycle_of(a).empty() ? DeadlockFinding::nothing : DeadlockFinding::cycle;
}

std::string deadlock_picture(const DeadlockAnalysis& a, const RoutingFunction& routing,
                             const ChannelMap& channels, const std::string& title) {
  ChannelPicture picture(routing.topology());
  switch (finding_of(a)) {
    case DeadlockFinding::deadlock:
      return picture.svg(title, draw_deadlock(a, routing.topology(), channels, picture));
    case DeadlockFinding::order:
      return picture.svg(title, draw_order(a.ranks, channels, picture));
    case DeadlockFinding::cycle:
      return picture.svg(title, draw_cycle(cycle_of(a), channels, picture));
    case DeadlockFinding::nothing:
      break;
  }
  return picture.svg(title, legend_text("Nothing to show: no deadlock, no cycle and no order of channels."));
}

}  // namespace flitmend
