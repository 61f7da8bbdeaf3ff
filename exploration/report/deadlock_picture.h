// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "exploration/report/network_map.h"
#include "protocols/deadlock/checker.h"

namespace flitmend {

/// A network as an SVG picture, in which some channels stand out.
class ChannelPicture {
 public:
  /// How a physical channel is drawn. Without a colour: grey.
  struct Stroke {
    std::string colour;
    std::string label;  ///< beside it
    bool dashed = false;
    std::vector<std::string> notes;  ///< what a reader sees who points at it
  };

  explicit ChannelPicture(const Topology&);

  /// Of the channel that leaves a router at a port; it must carry flits.
  Stroke& stroke(RouterId router, PortId port) { return strokes_[numbers_.at({router, port})]; }
  /// `legend`: elements of SVG below the title.
  std::string svg(const std::string& title, const std::string& legend) const;

 private:
  void cover(MapPoint);
  double x(MapPoint) const;
  double y(MapPoint) const;
  std::string channel_svg(const NetworkMap::Channel&, const Stroke&) const;
  std::string node_svg(const NetworkMap::Node&) const;

  NetworkMap map_;
  std::map<std::pair<RouterId, PortId>, std::size_t> numbers_;
  std::vector<Stroke> strokes_;  ///< by channel of the map
  MapPoint low_, high_;
};

/// A line of text as a legend of such a picture.
std::string legend_text(const std::string&);

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
/// colour of its rank, the lowest if several virtual channels have one. Other channels are grey. `title` is
/// a line above the picture.
std::string deadlock_picture(const DeadlockAnalysis&, const RoutingFunction&, const ChannelMap&,
                             const std::string& title);

}  // namespace flitmend
