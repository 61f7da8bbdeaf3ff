#pragma once
#include <string>

#include "base/settings.h"

namespace flitmend {

/// deadlock: …
struct DeadlockSettings {
  std::string recovery = "none";

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
