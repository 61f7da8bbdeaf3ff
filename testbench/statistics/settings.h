// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/settings.h"

namespace flitmend {

/// statistics: … — what is gathered or written only on request.
struct StatisticsSettings {
  bool channels = false;
  bool histogram = false;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
