// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/input_file_results.h"

namespace flitmend {

void InputFileResults::visit(ResultsVisitor& v) const {
  v.value({"key", "", "The key of the configuration that names it."}, key);
  v.value({"path", "", "Absolute name."}, path);
  v.value({"sha256", "", "SHA-256 of its content when the run read it."}, sha256);
}

}  // namespace flitmend
