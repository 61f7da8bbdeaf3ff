// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/settings.h"

namespace flitmend {

/// Section `statistics`: optional statistics. One key per entry of optional_statistics(), true or false, or a
/// number.
struct StatisticsSettings {
  std::map<std::string, bool, std::less<>> requested = {};        ///< by name; absent: not requested
  std::map<std::string, std::int64_t, std::less<>> numbers = {};  ///< of those whose key is a number
  bool histogram = false;
  bool events = false;
  bool messages = false;
  bool flows = false;
  bool hits = false;

  /// 0: not requested, or its key is not a number.
  std::uint64_t number(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : static_cast<std::uint64_t>(found->second);
  }
  bool requests(std::string_view name) const {
    const auto found = requested.find(name);
    return number(name) > 0 || (found != requested.end() && found->second);
  }
  void visit(SettingsVisitor&);
};

}  // namespace flitmend
