// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/channels.h"

#include <bit>

namespace flitmend {

ChannelMap::ChannelMap(const RoutingFunction& routing)
    : topology_(routing.topology()), classes_(routing.classes()) {
  std::size_t ports = 0;
  first_member_.push_back(0);
  for (RouterId router = 0; router < topology_.router_count(); ++router) {
    first_port_.push_back(ports);
    ports += topology_.port_count(router);
    for (PortId port = 0; port < topology_.port_count(router); ++port) {
      const auto first = static_cast<ChannelId>(channels_.size());
      const bool exists = topology_.carries_flits(router, port);
      // Refine {all virtual channels} by every class: what stays together is not distinguished by any class.
      for (unsigned c = 0; exists && c < classes_; ++c) {
        VcMask rest = routing.class_vcs(router, port, c);
        const std::size_t known = channels_.size();
        for (std::size_t i = first; i < known; ++i) {
          const VcMask common = channels_[i].vcs & rest;
          rest &= ~common;
          if (common == 0 || common == channels_[i].vcs) continue;
          channels_[i].vcs &= ~common;
          channels_.push_back({router, port, common});
        }
        if (rest) channels_.push_back({router, port, rest});
      }
      for (unsigned c = 0; c < classes_; ++c) {
        const VcMask mask = exists ? routing.class_vcs(router, port, c) : 0;
        for (ChannelId i = first; i < channels_.size(); ++i)
          if (channels_[i].vcs & mask) members_.push_back(i);
        first_member_.push_back(members_.size());
      }
    }
  }
}

std::string ChannelMap::name(ChannelId c) const {
  const DependencyChannel& channel = channels_[c];
  std::string vcs;
  for (VcMask rest = channel.vcs; rest;) {
    const int first = std::countr_zero(rest);
    const int count = std::countr_one(rest >> first);
    vcs += (vcs.empty() ? "" : ",") + std::to_string(first);
    if (count > 1) vcs += "-" + std::to_string(first + count - 1);
    if (first + count >= 64) break;
    rest = rest >> (first + count) << (first + count);
  }
  return topology_.router_name(channel.router) + "." + topology_.port_name(channel.router, channel.port) +
         ".vc" + vcs;
}

}  // namespace flitmend
