// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exploration/sweeps/file_keys.h"
#include "exploration/sweeps/plan.h"

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

/// A sweep of a study; its results are in a folder with its name.
struct StudySweep {
  StudySweep(std::string its_name, Sweep its_sweep)
      : name(std::move(its_name)), sweep(std::move(its_sweep)), plan(sweep) {}
  StudySweep(const StudySweep&) = delete;
  StudySweep& operator=(const StudySweep&) = delete;

  std::string name;
  Sweep sweep;
  SweepPlan plan;
};

/// Numbers that a report shows next to the curves of a sweep: what a model or another simulator says.
struct StudyReference {
  std::string name;
  std::string sweep;
  std::string metric;
  std::string key;                                ///< of the sweep's axes
  std::vector<std::pair<double, double>> points;  ///< value of the key, number; ascending
};

/// A claim of a study.
struct StudyStatement {
  std::string says;    ///< in the author's words
  std::string judged;  ///< as results put it: "latency.total.mean: 4 < 2 < 1"
  std::vector<Comparison> comparisons;
  std::string table;       ///< not empty: the published table to judge instead of comparisons
  std::string refuted_by;  ///< not empty: a published claim that fails, and why (expected_to_fail())
};

/// Sweeps, and the statements about their results.
struct Study {
  std::string name;
  std::string title;
  std::string about;
  std::string text;  ///< of the file
  bool quick = false;
  std::vector<std::unique_ptr<StudySweep>> sweeps;
  std::vector<StudyStatement> statements;
  std::vector<StudyReference> references;
};

/// The sections of a study file: the file itself, a statement, and a reference.
const FileSection& study_keys();
const FileSection& statement_keys();
const FileSection& reference_keys();

}  // namespace flitmend
