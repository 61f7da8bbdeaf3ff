// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "protocols/routing/registry.h"

namespace flitmend {

/// The options of the configured algorithm because of which its properties are harmful: they would not be
/// with the default of that option alone. With the configured values, or with the defaults: "routing.dateline
/// none". Empty if there are none.
std::string harmful_options(const RoutingSettings& configured, const Topology&, bool defaults,
                            bool (*harmful)(const RoutingProperties&));

}  // namespace flitmend
