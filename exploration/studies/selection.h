// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "exploration/studies/statement_spec.h"
#include "exploration/sweeps/plan.h"

namespace flitmend {

/// A point of a curve: what its keys are there, and by seed the units of the sweep that it is the mean of.
struct CurvePoint {
  std::map<std::string, Json> at;
  std::map<std::string, std::vector<std::int64_t>> units;

  /// "traffic.load=0.3"
  std::string text() const;
};

/// The points of a curve in the order of the sweep. Seeds are gathered; so are the points of axes that set
/// one of the averaged keys, which are noted in `averaged`. What no point of the sweep has is reported.
std::vector<CurvePoint> points_of(const CurveSpec&, const SweepPlan&, const StatementSpec&,
                                  std::vector<std::string>& averaged, ErrorList&);

}  // namespace flitmend
