// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/settings.h"

namespace flitmend {

/// Section `deadlock`.
struct DeadlockSettings {
  std::string watchdog = "stop";
  std::string recovery = "none";

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
