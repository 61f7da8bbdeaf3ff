// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/comparisons_of.h"

#include <algorithm>
#include <cmath>

namespace flitmend {
namespace {

using StatementKind = StatementSpec::Kind;
using Points = std::vector<CurvePoint>;

class Comparer {
 public:
  Comparer(const StatementSpec& statement, const std::vector<std::unique_ptr<StudySweep>>& sweeps, bool quick,
           ErrorList& errors)
      : statement_(statement), sweeps_(sweeps), quick_(quick), errors_(errors) {}

  std::vector<Comparison> compare() {
    for (const CurveSpec& curve : statement_.curves) {
      curves_.emplace_back();
      if (curve.constant) continue;
      curves_.back() = points_of(curve, sweeps_[sweep_of(curve)]->plan, statement_, averaged_, errors_);
      if (curves_.back().empty()) return {};
    }
    if (!averages_are_used() || !points_agree() || !near_values_are_points()) return {};
    for (const CurvePoint& point : curves_[reference()]) add_at(point);
    if (comparisons_.empty() && !bad_)
      report(statement_.place, "no point of the sweep has any of the values given under near");
    return bad_ ? std::vector<Comparison>() : std::move(comparisons_);
  }

 private:
  void report(const Place& place, const std::string& what) {
    errors_.add(place, statement_.path + ": " + what);
    bad_ = true;
  }

  std::size_t sweep_of(const CurveSpec& curve) const {
    for (std::size_t i = 0; i < sweeps_.size(); ++i)
      if (sweeps_[i]->name == curve.sweep) return i;
    return sweeps_.size();  // the reader refused that
  }

  bool averages_are_used() {
    for (const StatementSpec::Average& a : statement_.average)
      if (std::find(averaged_.begin(), averaged_.end(), a.key) == averaged_.end())
        report(a.place, "average: " + a.key + ": no axis sets it");
    return !bad_;
  }

  /// The first curve that is not a number; the reader has checked that there is one.
  std::size_t reference() const {
    std::size_t c = 0;
    while (statement_.curves[c].constant) ++c;
    return c;
  }

  static const CurvePoint* find(const Points& points, const CurvePoint& like) {
    const auto found =
        std::find_if(points.begin(), points.end(), [&](const CurvePoint& p) { return p.at == like.at; });
    return found == points.end() ? nullptr : &*found;
  }

  /// Reports a point of one curve that the other does not have; false if there is one.
  bool covers(std::size_t other, std::size_t curve) {
    for (const CurvePoint& point : curves_[curve])
      if (!find(curves_[other], point)) {
        const std::string &here = statement_.curves[curve].label, &there = statement_.curves[other].label;
        report(statement_.place, (point.at.empty() ? here + " is one point, but " + there + " has several"
                                                   : here + " has a point at " + point.text() + ", but " +
                                                         there + " has none") +
                                     "; select points with where:");
        return false;
      }
    return true;
  }

  bool points_agree() {
    const std::size_t first = reference();
    if (curves_[first].front().units.size() < 2)
      report(statement_.place, "sweep " + statement_.curves[first].sweep +
                                   " has only one seed, which gives no interval; add {seeds: 5} to its axes");
    for (std::size_t c = first + 1; c < curves_.size() && !bad_; ++c) {
      if (statement_.curves[c].constant || !covers(c, first) || !covers(first, c)) continue;
      for (const CurvePoint& point : curves_[c])
        if (!bad_ && !same_seeds(point, *find(curves_[first], point)))
          report(statement_.place, statement_.curves[first].label + " and " + statement_.curves[c].label +
                                       " have different seeds; paired runs need equal seeds");
    }
    return !bad_;
  }

  bool near_values_are_points() {
    if (quick_ || statement_.near_key.empty()) return true;
    for (const StatementSpec::Near& near : statement_.near) {
      const Points& points = curves_[reference()];
      if (std::none_of(points.begin(), points.end(), [&](const CurvePoint& p) {
            const auto at = p.at.find(statement_.near_key);
            return at != p.at.end() && at->second == near.at;
          }))
        report(near.place, "near: no point of the curve has " + statement_.near_key + "=" +
                               study_value(near.at) + "; choose a value that the sweep has");
    }
    return !bad_;
  }

  static bool same_seeds(const CurvePoint& a, const CurvePoint& b) {
    return std::equal(a.units.begin(), a.units.end(), b.units.begin(), b.units.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
  }

  ComparisonSide side(std::size_t c, const CurvePoint& like) const {
    const CurveSpec& curve = statement_.curves[c];
    ComparisonSide side{curve.label, 0, curve.metric, {}, curve.constant};
    if (curve.constant) return side;
    side.sweep = sweep_of(curve);
    side.units = find(curves_[c], like)->units;
    return side;
  }

  void add_at(const CurvePoint& point) {
    const std::size_t count = statement_.curves.size();
    switch (statement_.kind) {
      case StatementKind::ordered:
        for (std::size_t c = 0; c + 1 < count; ++c) add_below(point, c, c + 1);
        break;
      case StatementKind::tie:
        for (std::size_t c = 0; c < count; ++c)
          for (std::size_t d = c + 1; d < count; ++d) add_tie(point, c, d);
        break;
      case StatementKind::ratio:
        add_bounded(point, Comparison::Quantity::ratio);
        break;
      case StatementKind::value:
        add_bounded(point, Comparison::Quantity::value);
        break;
    }
  }

  Comparison pair(const CurvePoint& point, std::size_t left, std::size_t right) const {
    Comparison c;
    c.at = point.text();
    c.left = side(left, point);
    c.right = side(right, point);
    c.quantity = statement_.margin && statement_.margin->relative ? Comparison::Quantity::ratio
                                                                  : Comparison::Quantity::difference;
    return c;
  }

  void add_below(const CurvePoint& point, std::size_t left, std::size_t right) {
    Comparison c = pair(point, left, right);
    c.strict = !statement_.margin;
    const double slack = statement_.margin ? statement_.margin->amount : 0;
    c.high = c.quantity == Comparison::Quantity::ratio ? 1 + slack : slack;
    comparisons_.push_back(std::move(c));
  }

  void add_tie(const CurvePoint& point, std::size_t left, std::size_t right) {
    Comparison c = pair(point, left, right);
    const double middle = c.quantity == Comparison::Quantity::ratio ? 1 : 0;
    c.low = middle - statement_.margin->amount;
    c.high = middle + statement_.margin->amount;
    comparisons_.push_back(std::move(c));
  }

  void add_bounded(const CurvePoint& point, Comparison::Quantity quantity) {
    Comparison c;
    c.at = point.text();
    c.quantity = quantity;
    c.left = side(0, point);
    if (quantity == Comparison::Quantity::ratio) c.right = side(1, point);
    c.low = statement_.at_least;
    c.high = statement_.at_most;
    if (statement_.near.empty()) {
      comparisons_.push_back(std::move(c));
      return;
    }
    const StatementSpec::Near* const near = near_at(point);
    if (!near) return;
    const Margin& margin = *statement_.margin;
    const double half = margin.relative ? margin.amount * std::abs(near->value) : margin.amount;
    c.low = near->value - half;
    c.high = near->value + half;
    comparisons_.push_back(std::move(c));
  }

  const StatementSpec::Near* near_at(const CurvePoint& point) const {
    if (statement_.near_key.empty()) return &statement_.near.front();
    const auto at = point.at.find(statement_.near_key);
    for (const StatementSpec::Near& near : statement_.near)
      if (at != point.at.end() && near.at == at->second) return &near;
    return nullptr;
  }

  const StatementSpec& statement_;
  const std::vector<std::unique_ptr<StudySweep>>& sweeps_;
  bool quick_;
  ErrorList& errors_;
  std::vector<Points> curves_;  ///< as statement_.curves; those of numbers are empty
  std::vector<std::string> averaged_;
  std::vector<Comparison> comparisons_;
  bool bad_ = false;
};

}  // namespace

std::vector<Comparison> comparisons_of(const StatementSpec& statement,
                                       const std::vector<std::unique_ptr<StudySweep>>& sweeps, bool quick,
                                       ErrorList& errors) {
  return Comparer(statement, sweeps, quick, errors).compare();
}

}  // namespace flitmend
