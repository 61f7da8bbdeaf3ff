// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/comparisons_of.h"

#include <algorithm>
#include <iterator>

#include "base/nearest.h"

namespace flitmend {
namespace {

constexpr const char* kSeedKey = "simulation.seed";

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// How one curve uses an axis of the sweep.
struct AxisUse {
  const SweepAxis* axis;
  bool seeds = false;
  bool free = false;  ///< several of its points belong to the curve
  bool averaged = false;
  std::vector<std::string> named;  ///< keys to which the curve gives a value
};

/// Whether the curve includes a key's value at a point.
bool wanted(const CurveSpec::Key& key, const std::vector<Json>& all, const Json& value) {
  if (key.value == value) return true;
  // A list means each of its elements, unless the axis has that list as a value.
  if (!key.value.is_array() || std::find(all.begin(), all.end(), key.value) != all.end()) return false;
  return std::find(key.value.begin(), key.value.end(), value) != key.value.end();
}

std::vector<Json> values_of(const SweepAxis& axis, std::size_t k) {
  std::vector<Json> values;
  for (const std::vector<Json>& point : axis.points)
    if (std::find(values.begin(), values.end(), point[k]) == values.end()) values.push_back(point[k]);
  return values;
}

class Selector {
 public:
  Selector(const CurveSpec& curve, const SweepPlan& plan, const StatementSpec& statement,
           std::vector<std::string>& averaged, ErrorList& errors)
      : curve_(curve), plan_(plan), statement_(statement), averaged_(averaged), errors_(errors) {}

  std::vector<CurvePoint> points() {
    if (!keys_are_known()) return {};
    for (const SweepAxis& axis : plan_.sweep().axes)
      if (!axis.until) uses_.push_back(use_of(axis));
    if (bad_) return {};
    std::vector<CurvePoint> points;
    std::map<std::string, std::size_t> index;
    for (std::int64_t unit = 0; unit < plan_.units(); ++unit) {
      const std::vector<PointSetting> settings = plan_.settings(unit);
      if (!belongs(settings)) continue;
      CurvePoint point;
      std::string seed;
      for (const PointSetting& s : settings) {
        if (s.key == kSeedKey) seed = s.value.dump();
        if (apart(s.key)) point.at[s.key] = s.value;
      }
      const auto [found, fresh] = index.try_emplace(point.text(), points.size());
      if (fresh) points.push_back(std::move(point));
      points[found->second].units[seed].push_back(unit);
    }
    if (points.empty())
      report(curve_.place, "no point of sweep " + curve_.sweep + " matches " + curve_.label);
    return points;
  }

 private:
  void report(const Place& place, const std::string& what) {
    errors_.add(place, statement_.path + ": " + what);
    bad_ = true;
  }

  bool keys_are_known() {
    std::vector<std::string_view> known;
    for (const SweepAxis& axis : plan_.sweep().axes)
      if (!axis.until) known.insert(known.end(), axis.keys.begin(), axis.keys.end());
    for (const CurveSpec::Key& key : curve_.keys) {
      if (key.key == kSeedKey)
        report(key.place, std::string(kSeedKey) + ": statements are judged over all seeds; leave it out");
      else if (std::find(known.begin(), known.end(), key.key) == known.end())
        report(key.place,
               key.key + ": no axis of sweep " + curve_.sweep + " sets it" + did_you_mean(key.key, known));
    }
    return !bad_;
  }

  AxisUse use_of(const SweepAxis& axis) {
    AxisUse use{&axis, contains(axis.keys, kSeedKey), false, false, {}};
    std::vector<bool> in(axis.points.size(), true);
    for (const CurveSpec::Key& key : curve_.keys) {
      const auto k = static_cast<std::size_t>(std::find(axis.keys.begin(), axis.keys.end(), key.key) -
                                              axis.keys.begin());
      if (k == axis.keys.size()) continue;
      use.named.push_back(key.key);
      const std::vector<Json> all = values_of(axis, k);
      bool any = false;
      for (std::size_t p = 0; p < axis.points.size(); ++p) {
        const bool here = wanted(key, all, axis.points[p][k]);
        any |= here;
        in[p] = in[p] && here;
      }
      if (!any) {
        std::string text;
        for (const Json& value : all) text += (text.empty() ? "" : ", ") + study_value(value);
        report(key.place, key.key + ": no point of sweep " + curve_.sweep + " has " + study_value(key.value) +
                              "; it has " + text);
      }
      std::vector<Json>& accepted = accepted_[key.key];
      std::copy_if(all.begin(), all.end(), std::back_inserter(accepted),
                   [&](const Json& value) { return wanted(key, all, value); });
      if (accepted.size() > 1) use.named.pop_back();  // a list of several values does not fix the key
    }
    use.free = std::count(in.begin(), in.end(), true) > 1;
    for (const StatementSpec::Average& a : statement_.average)
      if (contains(axis.keys, a.key)) {
        use.averaged = true;
        averaged_.push_back(a.key);
      }
    return use;
  }

  bool belongs(const std::vector<PointSetting>& settings) const {
    return std::all_of(settings.begin(), settings.end(), [&](const PointSetting& s) {
      const auto found = accepted_.find(s.key);
      return found == accepted_.end() ||
             std::find(found->second.begin(), found->second.end(), s.value) != found->second.end();
    });
  }

  /// Whether different values of the key are different points.
  bool apart(const std::string& key) const {
    return std::any_of(uses_.begin(), uses_.end(), [&](const AxisUse& use) {
      if (use.seeds || use.averaged || !contains(use.axis->keys, key)) return false;
      return (use.free && !contains(use.named, key)) || key == statement_.near_key;
    });
  }

  const CurveSpec& curve_;
  const SweepPlan& plan_;
  const StatementSpec& statement_;
  std::vector<std::string>& averaged_;
  ErrorList& errors_;
  std::vector<AxisUse> uses_;
  std::map<std::string, std::vector<Json>> accepted_;  ///< by key that the curve names
  bool bad_ = false;
};

}  // namespace

std::string CurvePoint::text() const {
  std::string text;
  for (const auto& [key, value] : at) text += (text.empty() ? "" : ", ") + key + "=" + study_value(value);
  return text;
}

std::vector<CurvePoint> points_of(const CurveSpec& curve, const SweepPlan& plan,
                                  const StatementSpec& statement, std::vector<std::string>& averaged,
                                  ErrorList& errors) {
  return Selector(curve, plan, statement, averaged, errors).points();
}

}  // namespace flitmend
