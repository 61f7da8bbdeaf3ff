// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "rtl_tlm/foreign/router_boundary.h"

namespace flitmend {

/// Makes the router of a place in a fabric: your own, or null for the fabric's. Called once for every router
/// while the fabric is made; modules that it makes are below the router's place in SystemC's hierarchy. The
/// boundary outlives the router.
using RouterFactory = std::function<std::unique_ptr<ForeignRouter>(RouterBoundary&)>;

/// The same, but only for the routers at these coordinates, lowest dimension first; the others are the
/// fabric's. Coordinates outside the network: ConfigurationError when the fabric is made.
RouterFactory routers_at(std::vector<std::vector<std::int64_t>> coordinates, RouterFactory);

}  // namespace flitmend
