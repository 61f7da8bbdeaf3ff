// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "exploration/studies/statement_spec.h"
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

}  // namespace flitmend
