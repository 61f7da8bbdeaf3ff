// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study_results.h"

#include "exploration/studies/statement_spec.h"

namespace flitmend {
namespace {

std::string with_axes(const char* what, std::int64_t id, const Json& axes) {
  std::string text;
  for (const auto& [key, value] : axes.items())
    text += (text.empty() ? " (" : ", ") + key + "=" + study_value(value);
  return what + std::to_string(id) + text + (text.empty() ? "" : ")");
}

std::string first_line(const std::string& message) {
  return message.substr(0, message.find('\n'));
}

StudyResults::Value of_point(const PointRecord& point, const std::string& metric) {
  if (point.status != PointStatus::done)
    return {std::nullopt,
            with_axes("point ", point.id, point.axes) + ": " + to_word(point.status) + ": " +
                first_line(point.message),
            true};
  if (const auto found = point.metrics.find(metric); found != point.metrics.end())
    return {found->second, "", false};
  return {std::nullopt, with_axes("point ", point.id, point.axes) + ": defines no " + metric, false};
}

StudyResults::Value of_curve(const SaturationRecord& curve, const std::string& metric) {
  const std::optional<double> number = metric == "saturation.load"         ? curve.load
                                       : metric == "saturation.throughput" ? curve.throughput
                                                                           : curve.zero_load_latency;
  if (number) return {number, "", false};
  return {std::nullopt,
          with_axes("curve ", curve.curve, curve.axes) + ": " + to_word(curve.status) + ": " +
              first_line(curve.message),
          true};
}

}  // namespace

StudyResults::StudyResults(const SweepReader& reader) {
  for (PointRecord& point : reader.points()) {
    const std::int64_t id = point.id;
    points_.emplace(id, std::move(point));
  }
  for (SaturationRecord& curve : reader.saturation()) {
    const std::int64_t id = curve.curve;
    curves_.emplace(id, std::move(curve));
  }
}

StudyResults::Value StudyResults::value(const std::string& metric, std::int64_t unit) const {
  const bool searched = metric.starts_with("saturation.");
  if (const auto curve = curves_.find(unit); searched && curve != curves_.end())
    return of_curve(curve->second, metric);
  if (const auto point = points_.find(unit); !searched && point != points_.end())
    return of_point(point->second, metric);
  return {std::nullopt, (searched ? "curve " : "point ") + std::to_string(unit) + ": not run yet", false};
}

}  // namespace flitmend
