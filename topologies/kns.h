// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// KNS(k, n) with one-switch subnetworks (s = 1) [Penaranda12]: N = k^n routers, node v = Σ c_i·k^i. In
/// dimension i, the k routers that differ only in c_i share one k-port switch. Router port i leads to its
/// dimension-i switch; switch port c leads to the router with digit c. The switches of dimension i are the
/// vertices N + i·k^(n−1) …, ordered by the remaining digits. k ≥ 2, n ≥ 1, at most 2^20 nodes. Throws
/// ConfigurationError.
class Kns : public Topology {
 public:
  Kns(std::uint32_t k, std::uint32_t n);

  std::uint32_t k() const { return k_; }
  std::uint32_t n() const { return n_; }
  bool is_switch(RouterId router) const { return router >= node_count(); }
  std::uint32_t digit(NodeId node, unsigned dimension) const { return node / power_[dimension] % k_; }
  /// The dimension that a switch serves.
  unsigned switch_dimension(RouterId router) const { return (router - node_count()) / power_[n_ - 1]; }
  /// The switch of a node in a dimension.
  RouterId switch_of(NodeId node, unsigned dimension) const;

  std::string_view name() const override { return "kns"; }
  std::string description() const override;
  std::vector<std::uint32_t> coordinates(RouterId) const override;
  std::optional<NodeId> node_at(std::span<const std::int64_t> coordinates) const override;
  std::string router_name(RouterId) const override;
  std::string port_name(RouterId, PortId) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint64_t bisection_channels() const override;
  std::uint32_t diameter() const override { return 2 * n_; }

 private:
  std::uint32_t k_;
  std::uint32_t n_;
  std::vector<std::uint32_t> power_;
};

}  // namespace flitmend
