// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/settings.h"

namespace flitmend {

/// Section `recovery`.
struct RecoverySettings {
  std::string protocol = "none";
  std::int64_t timeout = 0;
  std::int64_t retry_limit = 16;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
