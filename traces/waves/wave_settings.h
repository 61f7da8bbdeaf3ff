// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// waves: … — what of a run is recorded.
struct WaveSettings {
  bool enabled = false;
  std::vector<std::string> scope;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string format = "vcd";

  void visit(SettingsVisitor&);
  /// Throws ConfigurationError for a window that ends before it begins.
  void check_window() const;
  /// The same, and for FST without vcd2fst: call it before anything is built.
  void check() const;
};

/// What --waves[=GLOB[,GLOB…]] sets: recording on; globs take the place of those in the configuration.
void apply_waves_option(WaveSettings&, const std::optional<std::string>& globs);

}  // namespace flitmend
