// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/settings.h"

namespace flitmend {

/// Section `statistics`: optional statistics.
struct StatisticsSettings {
  bool channels = false;
  bool histogram = false;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
