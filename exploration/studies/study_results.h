// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>

#include "exploration/sweeps/reader.h"

namespace flitmend {

/// What a sweep has measured, for statements to look up.
class StudyResults {
 public:
  explicit StudyResults(const SweepReader&);

  struct Value {
    std::optional<double> number;
    std::string missing;   ///< why there is no number
    bool failure = false;  ///< because the run, or the search for saturation, did not end well
  };
  /// A metric of a unit of the sweep's plan: of a point, or of a curve that was searched for saturation.
  Value value(const std::string& metric, std::int64_t unit) const;

 private:
  std::map<std::int64_t, PointRecord> points_;
  std::map<std::int64_t, SaturationRecord> curves_;
};

}  // namespace flitmend
