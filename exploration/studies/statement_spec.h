// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "exploration/sweeps/records.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// "within: 2 %", "within: 0.5".
struct Margin {
  double amount = 0;  ///< a share (0.02) if relative, else in the unit of the metric
  bool relative = false;

  std::string text() const;
};

/// The points of a sweep that a statement treats as one curve: those whose keys have these values.
struct CurveSpec {
  struct Key {
    std::string key;  ///< dotted path that an axis of the sweep sets
    Json value;       ///< a value of the axis, or a list of several
    Place place;
  };
  std::string label;   ///< what messages and results call it
  std::string sweep;   ///< name of the sweep
  std::string metric;  ///< dotted name, or saturation.load etc.
  std::vector<Key> keys;
  std::optional<double> constant;  ///< this number instead of a curve
  Place place;
};

/// A statement as its author wrote it. The comparisons follow from it once the sweeps are known.
struct StatementSpec {
  enum class Kind {
    ordered,  ///< each curve below the next
    tie,      ///< every two curves equal within a margin
    ratio,    ///< of the first curve to the second
    value,    ///< of one curve
  };
  /// A value to compare with, at one point of an axis or everywhere.
  // NOLINTNEXTLINE(bugprone-exception-escape): the library does not mark all that its noexcept moves call
  struct Near {
    Json at;  ///< value of near_key
    double value = 0;
    Place place;
  };

  Kind kind = Kind::value;
  std::vector<CurveSpec> curves;
  std::string axis;  ///< the key whose values are the curves; empty: the curves were listed
  struct Average {
    std::string key;
    Place place;
  };
  std::vector<Average> average;  ///< keys to average over; all others are judged point by point
  std::string near_key;          ///< empty: `near` has one value, for every point
  std::vector<Near> near;
  std::optional<Margin> margin;  ///< for tie and near; for ordered: by how much it may be missed
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::string path;  ///< "statements[2]", for messages
  Place place;

  /// "latency.total.mean: 4 < 2 < 1"
  std::string text() const;
};

/// A number as results show it: four significant digits.
std::string study_number(double value);
/// A value of a configuration as results show it: text without quotes.
std::string study_value(const Json& value);

}  // namespace flitmend
