// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "base/language.h"

namespace flitmend {

/// A text as a field of comma-separated values, in quotes if it has to be.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r#") == text.npos && !text.starts_with(' ') && !text.ends_with(' '))
    return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c == '\n' || c == '\r' ? ' ' : c;
  }
  return field + '"';
}

}  // namespace flitmend
