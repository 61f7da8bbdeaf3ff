// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/fault_network.h"

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

/// The table takes 4 bytes per pair of routers, and every fault computes it anew.
constexpr RouterId kMostRouters = 4096;

}  // namespace

void FaultNetwork::check_size(const Topology& topology, const char* algorithm) {
  if (topology.router_count() > kMostRouters)
    throw KeyError("routing.algorithm",
                   formatted("%1% has a table for at most %2% routers, and this network has %3%; use duato, "
                             "or a smaller network",
                             algorithm, kMostRouters, topology.router_count()),
                   {"network.size"});
}

FaultNetwork::FaultNetwork(const Topology& topology, const char* algorithm) : topology_(topology) {
  check_size(topology, algorithm);
  table_.update(FaultSet(topology));
}

void FaultNetwork::push(const RouteRequest& request, std::uint8_t vc_class, std::uint8_t preference,
                        CandidateList& out) const {
  const bool down = request.head_state & kHasGoneDown;
  for (PortId port = 0; port < topology_.port_count(request.here); ++port) {
    const auto far = topology_.neighbour(request.here, port);
    if (!far || (request.ports && request.ports->faulty(port))) continue;
    if (!table_.leads_on(topology_, request.here, down, port, far->router, request.destination)) continue;
    out.push({.head_state = kInside | (table_.goes_up(request.here, far->router) ? 0 : kHasGoneDown),
              .port = port,
              .vc_class = vc_class,
              .preference = preference,
              .escape = true});
  }
}

}  // namespace flitmend
