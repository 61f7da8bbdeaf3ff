// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

using ChannelId = std::uint32_t;
inline constexpr ChannelId kNoChannel = ~ChannelId{0};

/// A vertex of the dependency graphs: virtual channels of one physical channel that no class of the routing
/// function distinguishes.
struct DependencyChannel {
  RouterId router;  ///< where it starts
  PortId port;
  VcMask vcs;
};

/// Numbers the channels that a routing function can use, router by router and port by port.
class ChannelMap {
 public:
  explicit ChannelMap(const RoutingFunction&);

  ChannelId size() const { return static_cast<ChannelId>(channels_.size()); }
  const DependencyChannel& operator[](ChannelId c) const { return channels_[c]; }
  /// Where a channel ends.
  RouterPort far_end(ChannelId c) const {
    return *topology_.neighbour(channels_[c].router, channels_[c].port);
  }
  /// The channels of a class at a network port: one, or several if classes overlap; none at an edge.
  std::span<const ChannelId> of_class(RouterId router, PortId port, unsigned vc_class) const {
    const std::size_t slot = (first_port_[router] + port) * classes_ + vc_class;
    return {members_.data() + first_member_[slot], members_.data() + first_member_[slot + 1]};
  }
  /// "router_3_4.east.vc1"; several virtual channels as "vc1-3" or "vc0,2".
  std::string name(ChannelId) const;

 private:
  const Topology& topology_;
  std::size_t classes_;
  std::vector<DependencyChannel> channels_;
  std::vector<std::size_t> first_port_;
  std::vector<std::size_t> first_member_;
  std::vector<ChannelId> members_;
};

}  // namespace flitmend
