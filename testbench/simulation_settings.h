// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/settings.h"
#include "rtl_tlm/parameters.h"

namespace flitmend {

/// Section `simulation`: how long a run is, and what makes it repeatable.
struct SimulationSettings {
  std::int64_t warmup = 1000;
  std::int64_t measure = 10000;
  bool drain = true;
  std::int64_t seed = 1;
  std::string hierarchy = "auto";
  Threads threads;
  std::int64_t max_cycles = 0;
  std::int64_t progress_limit = 10'000'000;
  double time_limit_seconds = 0;

  /// What `hierarchy` asks of the hardware.
  Hierarchy hardware_hierarchy() const;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
