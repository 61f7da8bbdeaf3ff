// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocols/routing/registry.h"
#include "topologies/registry.h"

namespace flitmend {

inline RoutingSettings algorithm(const std::string& name) {
  RoutingSettings s;
  s.algorithm = name;
  return s;
}

/// The candidates of a head at `here`.
inline std::vector<RouteCandidate> candidates(const RoutingFunction& routing, const RouteRequest& request) {
  std::vector<RouteCandidate> storage(routing.max_candidates());
  CandidateList list(storage.data(), routing.max_candidates());
  routing.route(request, list);
  if (list.overflowed()) throw std::logic_error("more candidates than max_candidates");
  storage.resize(list.size());
  return storage;
}

inline RouteRequest head(RouterId here, NodeId destination, std::uint64_t h = 0,
                         const PortStatus* ports = nullptr) {
  return {here, 0, destination, RouteRequest::kInjected, 0, h, ports, nullptr};
}

}  // namespace flitmend
