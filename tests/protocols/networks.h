// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "protocols/routing/registry.h"
#include "topologies/hypercube.h"
#include "topologies/kns.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {

/// Small networks of every kind, with even, odd and mixed sizes.
inline std::vector<std::unique_ptr<Topology>> small_networks() {
  std::vector<std::unique_ptr<Topology>> all;
  using Sizes = std::vector<std::vector<std::uint32_t>>;
  for (const auto& size : Sizes{{2}, {5}, {4, 4}, {5, 3}, {1, 4}, {3, 3, 4}})
    all.push_back(std::make_unique<Mesh>(size));
  for (const auto& size : Sizes{{2}, {3}, {8}, {4, 4}, {5, 5}, {6, 6}, {2, 4}, {3, 4, 5}})
    all.push_back(std::make_unique<Torus>(size));
  for (std::uint32_t n : {1u, 3u, 4u}) all.push_back(std::make_unique<Hypercube>(n));
  all.push_back(std::make_unique<Kns>(4, 1));
  all.push_back(std::make_unique<Kns>(3, 2));
  all.push_back(std::make_unique<Kns>(3, 3));
  return all;
}

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
