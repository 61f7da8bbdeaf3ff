// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exploration/studies/comparison.h"
#include "exploration/sweeps/plan.h"

namespace flitmend {

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

}  // namespace flitmend
