// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/deadlock_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr double kUnit = 64;   // pixels between two neighbours
constexpr double kMargin = 1;  // around the map, in the map's unit
constexpr double kAbove = 56;  // pixels above the map, for the title and the legend
constexpr double kLeft = 12;   // pixels to the left of title and legend
constexpr double kLegendWidth = 640;
constexpr double kRadius = 13;  // of a router
constexpr const char* kGrey = "#c8c8c8";

}  // namespace

ChannelPicture::ChannelPicture(const Topology& topology) : map_(network_map(topology)) {
  std::size_t number = 0;
  for (RouterId router = 0; router < topology.router_count(); ++router)
    for (PortId port = 0; port < topology.port_count(router); ++port)
      if (topology.carries_flits(router, port)) numbers_[{router, port}] = number++;
  strokes_.resize(number);
  low_ = high_ = map_.nodes.front().at;
  for (const NetworkMap::Node& node : map_.nodes) cover(node.at);
  for (const NetworkMap::Caption& caption : map_.captions) cover(caption.at);
}

void ChannelPicture::cover(MapPoint p) {
  low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
  high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
}

double ChannelPicture::x(MapPoint p) const {
  return (p.x - low_.x + kMargin) * kUnit;
}

double ChannelPicture::y(MapPoint p) const {
  return (high_.y - p.y + kMargin) * kUnit + kAbove;
}

std::string ChannelPicture::svg(const std::string& title, const std::string& legend) const {
  constexpr double kLetter = 8;  // pixels, at most, of one of the title
  const double width = std::max({(high_.x - low_.x + 2 * kMargin) * kUnit, kLegendWidth,
                                 2 * kLeft + kLetter * static_cast<double>(title.size())});
  const double height = (high_.y - low_.y + 2 * kMargin) * kUnit + kAbove;
  std::string text = formatted(
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                         "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
                         "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                         "<text x=\"12\" y=\"20\" font-size=\"14\">%s</text>\n",
                         width, height, width, height, html_escaped(title), html_escaped(title)) +
                     legend;
  // What was found is drawn over the rest.
  for (const bool found : {false, true})
    for (std::size_t i = 0; i < strokes_.size(); ++i)
      if (strokes_[i].colour.empty() != found) text += channel_svg(map_.channels[i], strokes_[i]);
  for (const NetworkMap::Node& node : map_.nodes) text += node_svg(node);
  for (const NetworkMap::Caption& caption : map_.captions)
    text += formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x(caption.at),
                      y(caption.at), html_escaped(caption.text));
  return text + "</svg>\n";
}

/// A line with an arrowhead in its middle, and the label beside that.
std::string ChannelPicture::channel_svg(const NetworkMap::Channel& channel, const Stroke& stroke) const {
  const std::string colour = stroke.colour.empty() ? kGrey : stroke.colour;
  std::string text = "<g><title>" + html_escaped(channel.from + "." + channel.port);
  for (const std::string& note : stroke.notes) text += "\n" + html_escaped(note);
  text += "</title>\n";
  for (std::size_t part = 0; part < channel.lines.size(); ++part) {
    const std::vector<MapPoint>& line = channel.lines[part];
    text += "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"" +
            (stroke.colour.empty() ? "1.5" : "3") + "\"" +
            (stroke.dashed ? " stroke-dasharray=\"5 4\"" : "") + " points=\"";
    for (const MapPoint& p : line) text += formatted("%.1f,%.1f ", x(p), y(p));
    text += "\"/>\n";
    if (stroke.colour.empty()) continue;
    const std::size_t after = line.size() / 2;
    const double ax = x(line[after - 1]), ay = y(line[after - 1]), bx = x(line[after]), by = y(line[after]);
    const double length = std::hypot(bx - ax, by - ay);
    const double dx = (bx - ax) / length, dy = (by - ay) / length;
    const double mx = (ax + bx) / 2, my = (ay + by) / 2;
    text += formatted("<polygon fill=\"%s\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n", colour,
                      mx + 6 * dx, my + 6 * dy, mx - 4 * dx - 5 * dy, my - 4 * dy + 5 * dx,
                      mx - 4 * dx + 5 * dy, my - 4 * dy - 5 * dx);
    if (part == 0 && !stroke.label.empty())  // to the right of the channel
      text += formatted("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" text-anchor=\"middle\">%s</text>\n",
                        mx - 11 * dy, my + 11 * dx + 4, colour, html_escaped(stroke.label));
  }
  return text + "</g>\n";
}

std::string ChannelPicture::node_svg(const NetworkMap::Node& node) const {
  return formatted(
      "<g><title>%s</title>\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" fill=\"%s\" "
      "stroke=\"#555555\"/>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" "
      "font-size=\"9\">%s</text></g>\n",
      html_escaped(node.name), x(node.at), y(node.at), kRadius, node.is_switch ? "#e8e8e8" : "white",
      x(node.at), y(node.at) + 3, html_escaped(node.label));
}

std::string legend_text(const std::string& text) {
  return "<text x=\"12\" y=\"42\">" + html_escaped(text) + "</text>\n";
}

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
