// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "base/registry.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// A selection function that a configuration can name: defined in its own file, listed in
/// protocols/routing/selection/functions.def.
struct SelectionEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<SelectionFunction> (*make)(const Topology&);
};

const Registry<SelectionEntry>& selections();

/// The configured selection function; for auto, the usual one of the algorithm. With routing.request all, the
/// one that requests every candidate. Throws ConfigurationError.
std::unique_ptr<SelectionFunction> make_selection(const Topology&, const RoutingSettings&);

}  // namespace flitmend
