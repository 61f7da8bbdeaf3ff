// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/settings.h"

namespace flitmend {

/// Section `deadlock`.
struct DeadlockSettings {
  std::string watchdog = "stop";
  std::string recovery = "none";
  std::int64_t timeout = 64;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
