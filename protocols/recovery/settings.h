// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/settings.h"

namespace flitmend {

/// Section `recovery`.
struct RecoverySettings {
  std::string protocol = "none";

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
