// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/registry.h"
#include "base/settings.h"

namespace flitmend {

/// A protocol that repairs messages which faults have hit.
struct RecoveryEntry {
  std::string_view name;
  std::string_view description;
};
const Registry<RecoveryEntry>& recovery_protocols();

/// recovery: …
struct RecoverySettings {
  std::string protocol = "none";

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
