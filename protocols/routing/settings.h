// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/settings.h"

namespace flitmend {

/// Section `routing`.
struct RoutingSettings {
  std::string algorithm = "dimension-order";
  std::string selection = "auto";
  std::string dateline = "balanced";
  std::string ties = "random";
  std::int64_t misroutes = 0;
  std::string escape = "returning";
  std::int64_t head_wait_cycles = 200;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
