// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "topologies/fault_set.h"
#include "topologies/kns.h"

namespace flitmend::test {

constexpr SubnetworkKind kFatTree = SubnetworkKind::fat_tree, kRuft = SubnetworkKind::ruft;

/// A KNS network with subnetworks of several stages.
struct SubnetworkCase {
  std::uint32_t k, n;
  SubnetworkKind kind;
  std::uint32_t arity;

  Kns kns() const { return {k, n, kind, arity}; }
  NetworkSettings settings() const {
    NetworkSettings s;
    s.topology = "kns";
    s.k = k;
    s.n = n;
    s.options.set("subnetwork", std::string(kSubnetworkKinds[static_cast<std::size_t>(kind)].name));
    s.options.set("arity", static_cast<std::int64_t>(arity));
    return s;
  }
};

inline void PrintTo(const SubnetworkCase& c, std::ostream* out) {
  *out << c.kns().description();
}

/// A switch, or the link at one of its ports.
struct InsidePart {
  static constexpr PortId kWhole = 0xffff;
  RouterId router;
  PortId port = kWhole;

  std::string name(const Topology& t) const {
    return t.router_name(router) + (port == kWhole ? "" : "." + t.port_name(router, port));
  }
};

/// Every switch, and every link between two switches.
inline std::vector<InsidePart> inside_parts(const Topology& t) {
  std::vector<InsidePart> parts;
  for (RouterId at = t.node_count(); at < t.router_count(); ++at) {
    parts.push_back({at});
    for (PortId p = 0; p < t.port_count(at); ++p)
      if (const auto far = t.neighbour(at, p); far->router > at && t.is_switch(far->router))
        parts.push_back({at, p});
  }
  return parts;
}

/// Whether some path leads from a node into its subnetwork of a dimension and out of it to another node of
/// the line: a search over the healthy channels between its switches, which knows nothing of stages and
/// digits.
inline bool joined_inside(const Topology& t, const FaultSet& faults, NodeId from, NodeId to,
                          unsigned dimension) {
  if (faults.blocked(from, static_cast<PortId>(dimension))) return false;
  std::vector<RouterId> open{t.neighbour(from, static_cast<PortId>(dimension))->router};
  std::vector<bool> seen(t.router_count());
  while (!open.empty()) {
    const RouterId at = open.back();
    open.pop_back();
    for (PortId p = 0; p < t.port_count(at); ++p) {
      if (!t.carries_flits(at, p) || faults.blocked(at, p)) continue;
      const RouterId far = t.neighbour(at, p)->router;
      if (far == to) return true;
      if (!t.is_switch(far) || seen[far]) continue;
      seen[far] = true;
      open.push_back(far);
    }
  }
  return false;
}

/// Whether dimension order leads from one node to another, each dimension by any path through its subnetwork.
inline bool joined_in_order(const Topology& t, const FaultSet& faults, NodeId from, NodeId to) {
  NodeId at = from;
  std::uint32_t stride = 1;
  for (unsigned i = 0; i < t.dimensions(); stride *= t.radix(i++)) {
    const std::uint32_t a = t.coordinate(at, i), b = t.coordinate(to, i);
    if (a == b) continue;
    const NodeId next = at - a * stride + b * stride;
    if (!joined_inside(t, faults, at, next, i)) return false;
    at = next;
  }
  return true;
}

}  // namespace flitmend::test
