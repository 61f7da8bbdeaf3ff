// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flitmend {

/// One curve at one point, or a number.
struct ComparisonSide {
  std::string label;
  std::size_t sweep = 0;  ///< index in the study
  std::string metric;
  /// By seed: the units of the sweep's plan whose mean is the value.
  std::map<std::string, std::vector<std::int64_t>> units;
  std::optional<double> constant;
};

/// What a statement says at one point: a quantity, measured once per seed, lies within bounds. Both sides
/// have the same seeds, so that each difference is between paired runs.
struct Comparison {
  enum class Quantity {
    value,       ///< left
    difference,  ///< left − right
    ratio,       ///< left / right
  };
  std::string at;  ///< "traffic.load=0.3"; empty if there is only one point
  Quantity quantity = Quantity::value;
  ComparisonSide left;
  ComparisonSide right;  ///< unused for a value
  std::optional<double> low;
  std::optional<double> high;
  bool strict = false;  ///< the bounds themselves are excluded

  /// "4 < 2", "sbrp-1 / free"
  std::string compared() const;
  /// "below 0", "37.22 to 38.74"
  std::string wanted() const;
};

}  // namespace flitmend
