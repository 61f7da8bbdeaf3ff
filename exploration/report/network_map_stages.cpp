// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/network_map.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace flitmend {
namespace {

constexpr double kStage = 1.6;         // height of a stage
constexpr double kBetween = 1.6;       // blocks
constexpr double kCaptionAbove = 0.8;  // above a block
constexpr double kUsualWidth = 45;     // of a row of blocks
constexpr double kLowest = 0.25;       // height of the map, at most, for its width, if there are many blocks

class StagedMap {
 public:
  explicit StagedMap(const SwitchedGrid& grid) : grid_(grid) {
    for (unsigned d = 0; d < grid.dimensions(); ++d) {
      width_ = std::max(width_, grid.radix(d) + kBetween);
      height_ = std::max(height_, levels(d) * kStage + kCaptionAbove + kBetween);
      blocks_ += grid.node_count() / grid.radix(d);
    }
    const double square = std::sqrt(static_cast<double>(blocks_) * height_ * kLowest / width_);
    per_row_ = static_cast<unsigned>(std::max({1.0, std::floor(kUsualWidth / width_), std::ceil(square)}));
  }

  NetworkMap map() {
    NetworkMap map;
    for (NodeId node = 0; node < grid_.node_count(); ++node) map.nodes.push_back(node_at(node, 0, false));
    for (RouterId r = grid_.node_count(); r < grid_.router_count(); ++r)
      map.nodes.push_back({grid_.router_name(r), "", switch_point(r), true});
    for (unsigned d = 0; d < grid_.dimensions(); ++d) add_copies(map, d);
    for (RouterId r = 0; r < grid_.router_count(); ++r)
      for (PortId port = 0; port < grid_.port_count(r); ++port)
        if (const auto far = grid_.neighbour(r, port); grid_.carries_flits(r, port))
          map.channels.push_back({grid_.router_name(r),
                                  grid_.port_name(r, port),
                                  grid_.router_name(far->router),
                                  {line(r, far->router)}});
    map.note = note();
    return map;
  }

 private:
  std::string note() const {
    std::string text = "The nodes of each line are in a row, below the stages of switches that connect them";
    if (grid_.dimensions() > 1) text += "; a node is drawn once for each dimension";
    for (unsigned d = 0; d < grid_.dimensions(); ++d)
      if (grid_.subnetwork(d).one_way()) return text + ". Nodes above the switches are the receivers.";
    return text + ".";
  }
  /// Levels above the row of nodes.
  unsigned levels(unsigned d) const {
    return grid_.subnetwork(d).stages() + (grid_.subnetwork(d).one_way() ? 1 : 0);
  }
  std::uint32_t stride(unsigned d) const {
    std::uint32_t stride = 1;
    for (unsigned i = 0; i < d; ++i) stride *= grid_.radix(i);
    return stride;
  }
  /// The number of a node's line among those of a dimension.
  std::uint32_t line_of(NodeId node, unsigned d) const {
    return node / (stride(d) * grid_.radix(d)) * stride(d) + node % stride(d);
  }
  /// The lower left corner of a line's block. Every dimension begins a row of blocks; the first is on top.
  MapPoint corner(unsigned d, std::uint32_t line) const {
    std::uint32_t row = line / per_row_;
    for (unsigned i = 0; i < d; ++i) row += (grid_.node_count() / grid_.radix(i) + per_row_ - 1) / per_row_;
    return {line % per_row_ * width_, -(row * height_)};
  }
  MapPoint node_point(NodeId node, unsigned d, bool receiver) const {
    const MapPoint at = corner(d, line_of(node, d));
    return {at.x + grid_.coordinate(node, d), at.y + (receiver ? levels(d) * kStage : 0)};
  }
  NetworkMap::Node node_at(NodeId node, unsigned d, bool receiver) const {
    return {grid_.router_name(node), std::to_string(grid_.coordinate(node, d)), node_point(node, d, receiver),
            false};
  }
  MapPoint switch_point(RouterId router) const {
    const unsigned d = grid_.switch_dimension(router);
    const Subnetwork& s = grid_.subnetwork(d);
    const std::uint32_t number = grid_.switch_number(router, d);
    const MapPoint at = corner(d, grid_.line_of_switch(router, d));
    return {at.x + (s.position(number) + 0.5) / s.switches_per_stage() * s.k() - 0.5,
            at.y + kStage * (s.stage(number) + 1)};
  }
  /// The nodes of a dimension's lines, but for those that the map has already, and the captions.
  void add_copies(NetworkMap& map, unsigned d) const {
    for (NodeId node = 0; node < grid_.node_count(); ++node) {
      if (d > 0) map.nodes.push_back(node_at(node, d, false));
      if (grid_.subnetwork(d).one_way()) map.nodes.push_back(node_at(node, d, true));
      if (grid_.coordinate(node, d) > 0) continue;
      const MapPoint at = corner(d, line_of(node, d));
      map.captions.push_back(
          {caption(node, d), {at.x + (grid_.radix(d) - 1) / 2.0, at.y + levels(d) * kStage + kCaptionAbove}});
    }
  }
  /// "*,3": the nodes of a line.
  std::string caption(NodeId node, unsigned d) const {
    std::string text;
    for (unsigned i = 0; i < grid_.dimensions(); ++i)
      text += (i ? "," : "") + (i == d ? std::string("*") : std::to_string(grid_.coordinate(node, i)));
    return text;
  }
  /// The line of a channel; one of its ends is a switch, in whose block it is.
  std::vector<MapPoint> line(RouterId from, RouterId to) const {
    const unsigned d = grid_.switch_dimension(grid_.is_switch(from) ? from : to);
    const auto end = [&](RouterId r, bool receiver) {
      return grid_.is_switch(r) ? switch_point(r) : node_point(r, d, receiver);
    };
    return straight(end(from, false), end(to, grid_.subnetwork(d).one_way()));
  }

  const SwitchedGrid& grid_;
  double width_ = 0, height_ = 0;  ///< of a block
  std::uint32_t blocks_ = 0;
  unsigned per_row_ = 1;
};

}  // namespace

NetworkMap staged_map(const SwitchedGrid& grid) {
  return StagedMap(grid).map();
}

}  // namespace flitmend
