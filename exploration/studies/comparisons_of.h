// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exploration/studies/statement_spec.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/plan.h"

namespace flitmend {

/// A point of a curve: the values of its keys, and by seed the units of the sweep that it averages.
struct CurvePoint {
  std::map<std::string, Json> at;
  std::map<std::string, std::vector<std::int64_t>> units;

  /// "traffic.load=0.3"
  std::string text() const;
};

/// The points of a curve in the order of the sweep. Seeds are grouped, and so are the points of axes that set
/// one of the averaged keys, which are added to `averaged`. Reports values that no point of the sweep has.
std::vector<CurvePoint> points_of(const CurveSpec&, const SweepPlan&, const StatementSpec&,
                                  std::vector<std::string>& averaged, ErrorList&);

/// The comparisons of a statement over these sweeps, at each point that its curves share: pairs of curves
/// (consecutive ones for ordered, all for tie), or a curve with its bounds. Reports what cannot be compared:
/// values that no point has, curves with different points or seeds, a single seed. `quick`: values under
/// `near` at points that the sweep does not have are ignored.
std::vector<Comparison> comparisons_of(const StatementSpec&, const std::vector<std::unique_ptr<StudySweep>>&,
                                       bool quick, ErrorList&);

}  // namespace flitmend
