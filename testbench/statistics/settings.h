// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "base/settings.h"

namespace flitmend {

/// Section `statistics`: optional statistics. One key per entry of optional_statistics().
struct StatisticsSettings {
  std::map<std::string, bool, std::less<>> requested = {};  ///< by name; absent: not requested
  bool histogram = false;
  bool events = false;
  bool messages = false;
  bool flows = false;
  bool hits = false;

  bool requests(std::string_view name) const {
    const auto found = requested.find(name);
    return found != requested.end() && found->second;
  }
  void visit(SettingsVisitor&);
};

}  // namespace flitmend
