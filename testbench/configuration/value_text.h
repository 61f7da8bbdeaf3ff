// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// Values as YAML that reads back as the same value: numbers in the shortest form, texts in quotes if they
/// need them, nodes as "3" or "[3, 4]", lists in brackets.
std::string value_text(std::int64_t);
std::string value_text(double);
std::string value_text(bool);
std::string value_text(const std::string&);
std::string value_text(const NodeName&);
std::string value_text(const LinkName&);
std::string value_text(const Duration&);
std::string value_text(const FaultEvent&);
std::string value_text(const AddressMapEntry&);
template <class T>
std::string value_text(const std::vector<T>& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + value_text(list[i]);
  return text + "]";
}

/// "1 to 64", "at least 1", "any", followed by the unit if there is one: "1 to 64 flits".
std::string range_text(Range<std::int64_t>, std::string_view unit);
std::string range_text(Range<double>, std::string_view unit);

}  // namespace flitmend
