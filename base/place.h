// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/language.h"

namespace flitmend {

/// A place in what the user wrote: a file with line and column, or an option of the command line.
struct Place {
  std::string source;  ///< "mesh.yaml", "--set #2"
  int line = 0;        ///< from 1; 0: the source as a whole
  int column = 0;      ///< from 1, in bytes; 0: the line as a whole

  /// "mesh.yaml:3:7", "--set #2"
  std::string text() const {
    return source + (line ? ":" + std::to_string(line) : "") + (column ? ":" + std::to_string(column) : "");
  }
  friend auto operator<=>(const Place&, const Place&) = default;
};

}  // namespace flitmend
