// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "testbench/statistics/results_visitor.h"

namespace flitmend {

/// A file that a run has read besides its configuration.
struct InputFileResults {
  std::string key;   ///< of the configuration
  std::string path;  ///< absolute
  std::string sha256;
  void visit(ResultsVisitor&) const;
  friend bool operator==(const InputFileResults&, const InputFileResults&) = default;
};

}  // namespace flitmend
