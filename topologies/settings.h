// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// Section `network`. The topology determines which size keys apply; the others are empty or 0.
struct NetworkSettings {
  std::string topology = "mesh";
  std::vector<std::int64_t> size;
  std::int64_t dimensions = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
  std::int64_t node_address_bytes = 4096;

  void visit(SettingsVisitor&);
  /// Fills in the topology's default size if none is given, so that the effective configuration shows it.
  /// Throws ConfigurationError if a size key is given that the topology does not have.
  void complete();
};

}  // namespace flitmend
