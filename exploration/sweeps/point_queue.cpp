// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/point_queue.h"

#include <algorithm>

namespace flitmend {

PointQueue::PointQueue(const SweepPlan& plan, std::vector<std::int64_t> units, RecordedPoint recorded)
    : plan_(plan), units_(std::move(units)), recorded_(std::move(recorded)) {}

std::optional<PointRequest> PointQueue::next() {
  while (!ready_.empty()) {
    const auto first = std::min_element(ready_.begin(), ready_.end());
    const std::int64_t unit = *first;
    ready_.erase(first);
    if (auto request = next_of_curve(unit, curves_.at(unit))) return request;
  }
  while (position_ < units_.size()) {
    const std::int64_t unit = units_[position_++];
    if (!plan_.adaptive()) {
      if (!recorded_(unit)) return plan_.point(unit);
      ++units_done_;
      continue;
    }
    const auto curve =
        curves_.emplace(unit, SaturationSearch(*plan_.sweep().adaptive()->until, plan_.largest_load(unit)))
            .first;
    if (auto request = next_of_curve(unit, curve->second)) return request;
  }
  return std::nullopt;
}

std::optional<PointRequest> PointQueue::next_of_curve(std::int64_t unit, SaturationSearch& search) {
  while (const auto question = search.next()) {
    PointRequest request{unit * plan_.stride() + question->index, plan_.settings(unit)};
    if (const auto known = recorded_(request.id)) {
      search.answer(known->status, known->metrics);
      continue;
    }
    const Place place{plan_.sweep().name};
    request.settings.push_back({"traffic.load", question->load, place});
    if (!question->drain) request.settings.push_back({"simulation.drain", false, place});
    return request;
  }
  end_curve(unit, search);
  return std::nullopt;
}

void PointQueue::end_curve(std::int64_t unit, const SaturationSearch& search) {
  SaturationRecord row = search.result();
  row.curve = unit;
  row.axes = PointRequest{0, plan_.settings(unit)}.axes();
  for (auto* point : {&row.zero_load_point, &row.load_point, &row.throughput_point})
    if (*point) **point += unit * plan_.stride();
  ended_.push_back(std::move(row));
  curves_.erase(unit);
  ++units_done_;
}

void PointQueue::finished(const PointRecord& point) {
  if (!plan_.adaptive()) {
    ++units_done_;
    return;
  }
  const std::int64_t unit = point.id / plan_.stride();
  curves_.at(unit).answer(point.status, point.metrics);
  ready_.push_back(unit);
}

}  // namespace flitmend
