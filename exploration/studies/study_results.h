// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>

#include "exploration/sweeps/reader.h"

namespace flitmend {

/// The results of a sweep, for statements.
class StudyResults {
 public:
  explicit StudyResults(const SweepReader&);

  struct Value {
    std::optional<double> number;
    std::string missing;   ///< why there is no number
    bool failure = false;  ///< the run, or the saturation search, did not end well
  };
  /// A metric of a unit of the sweep's plan: of a point, or of a curve of a saturation search.
  Value value(const std::string& metric, std::int64_t unit) const;

 private:
  std::map<std::int64_t, PointRecord> points_;
  std::map<std::int64_t, SaturationRecord> curves_;
};

}  // namespace flitmend
