// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// waves: … — what a run records.
struct WaveSettings {
  bool enabled = false;
  std::vector<std::string> scope;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string format = "vcd";

  void visit(SettingsVisitor&);
  /// Throws ConfigurationError for a window that ends before it begins.
  void check_window() const;
  /// Also throws for FST if vcd2fst is missing. Call it before anything is built.
  void check() const;
};

/// Applies the options --waves[=GLOB[,GLOB…]], one element per option, nullopt for an option without globs.
/// They turn recording on; the globs of all of them replace those of the configuration. If one of several
/// options has no globs, everything is recorded.
void apply_waves_options(WaveSettings&, const std::vector<std::optional<std::string>>& options);

}  // namespace flitmend
