// SPDX-License-Identifier: Apache-2.0
#include "topologies/kns.h"

#include "base/errors.h"
#include "topologies/limits.h"

namespace flitmend {

Kns::Kns(std::uint32_t k, std::uint32_t n) : k_(k), n_(n) {
  if (k < 2)
    throw KeyError("network.k", std::to_string(k) + "; a KNS network needs at least 2 routers per switch");
  if (k > kMaxSwitchPorts)
    throw KeyError("network.k", std::to_string(k) + "; a KNS switch has at most " +
                                    std::to_string(kMaxSwitchPorts) + " ports");
  if (n < 1) throw KeyError("network.n", "0; a KNS network needs at least 1 dimension");
  std::uint64_t nodes = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    power_.push_back(static_cast<std::uint32_t>(nodes));
    nodes *= k;
    if (nodes > kMaxNodes)
      throw KeyError("network.k",
                     "KNS(" + std::to_string(k) + ", " + std::to_string(n) + ") has more than " +
                         std::to_string(kMaxNodes) + " nodes, the largest supported network; make it smaller",
                     {"network.n"});
  }
  const auto node_total = static_cast<NodeId>(nodes);
  std::vector<PortId> ports(node_total, static_cast<PortId>(n));
  ports.insert(ports.end(), std::size_t{n} * power_[n - 1], static_cast<PortId>(k));
  set_size(node_total, ports);
  for (NodeId node = 0; node < node_total; ++node)
    for (unsigned i = 0; i < n; ++i)
      connect({node, static_cast<PortId>(i)}, {switch_of(node, i), static_cast<PortId>(digit(node, i))});
}

RouterId Kns::switch_of(NodeId node, unsigned dimension) const {
  // The digits without that of this dimension; the digits above it move down.
  const std::uint32_t below = node % power_[dimension];
  const std::uint32_t above = node / power_[dimension] / k_;
  return node_count() + dimension * power_[n_ - 1] + above * power_[dimension] + below;
}

std::string Kns::description() const {
  return "KNS(" + std::to_string(k_) + ", " + std::to_string(n_) + ")";
}

std::vector<std::uint32_t> Kns::coordinates(RouterId router) const {
  std::vector<std::uint32_t> digits;
  const bool node = !is_switch(router);
  std::uint32_t rest = node ? router : (router - node_count()) % power_[n_ - 1];
  for (std::uint32_t i = node ? 0 : 1; i < n_; ++i, rest /= k_) digits.push_back(rest % k_);
  return digits;
}

std::optional<NodeId> Kns::node_at(std::span<const std::int64_t> coordinates) const {
  if (coordinates.size() != n_) return std::nullopt;
  NodeId node = 0;
  for (unsigned i = 0; i < n_; ++i) {
    if (coordinates[i] < 0 || coordinates[i] >= k_) return std::nullopt;
    node += static_cast<NodeId>(coordinates[i]) * power_[i];
  }
  return node;
}

std::string Kns::router_name(RouterId router) const {
  std::string text = is_switch(router) ? "switch_d" + std::to_string(switch_dimension(router)) : "router";
  for (std::uint32_t digit : coordinates(router)) text += "_" + std::to_string(digit);
  return text;
}

std::string Kns::port_name(RouterId router, PortId port) const {
  if (port >= port_count(router)) return "local";
  return (is_switch(router) ? "port" : "dim") + std::to_string(port);
}

std::uint32_t Kns::distance(NodeId from, NodeId to) const {
  std::uint32_t channels = 0;
  for (unsigned i = 0; i < n_; ++i) channels += 2 * (digit(from, i) != digit(to, i));
  return channels;
}

std::uint64_t Kns::bisection_channels() const {
  return std::uint64_t{2} * power_[n_ - 1] * (k_ / 2);
}

}  // namespace flitmend
