// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "traces/waves/fabric_waves.h"

namespace flitmend {

/// Waves of a test's fabric, in the folder TEST/FABRIC inside the folder that the environment variable
/// FLITMEND_TEST_WAVES names; nothing if it is not set.
inline std::unique_ptr<FabricWaves> record_if_asked(Fabric& fabric, const sc_core::sc_time& clock_period) {
  const char* folder = std::getenv("FLITMEND_TEST_WAVES");
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (!folder || !test) return nullptr;
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  std::replace(name.begin(), name.end(), '/', '_');
  const std::filesystem::path out = std::filesystem::path(folder) / name / fabric.name();
  std::filesystem::create_directories(out);
  WaveSettings settings;
  settings.enabled = true;
  auto waves = std::make_unique<FabricWaves>(fabric);
  waves->start(settings, out.string(), clock_period);
  return waves;
}

}  // namespace flitmend
