// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/options.h"
#include "protocols/routing/metric.h"

namespace flitmend {

/// Section `routing`.
struct RoutingSettings {
  std::string algorithm = "dimension-order";
  std::string selection = "auto";
  std::string request = "preferred";
  OptionValues options = {};
  std::int64_t head_wait_cycles = 200;
  /// Not of this section: settle() takes it from the router and the links.
  HopCycles hop_cycles = {};

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
