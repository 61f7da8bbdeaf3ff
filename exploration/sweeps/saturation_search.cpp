// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/saturation_search.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace flitmend {
namespace {

constexpr double kAcceptedShare = .97;
constexpr double kLatencyFactor = 3;
constexpr double kPrecision = .01;
constexpr double kBeyond = 1.3;
constexpr std::int64_t kMostHalvings = 40;

double rounded_load(double load) {
  return std::stod(formatted("%.10g", load));
}

}  // namespace

SaturationSearch::SaturationSearch(const SaturationAxis& axis, double largest_load)
    : axis_(axis), largest_load_(largest_load) {
  axis_.to = std::fmin(axis_.to, largest_load);
  result_.status = SaturationStatus::stopped;
}

std::int64_t SaturationSearch::climb_steps() const {
  constexpr double kMostSteps = 1001;
  return static_cast<std::int64_t>(
      std::clamp(std::ceil((axis_.to - axis_.from) / axis_.step - 1e-9), 0.0, kMostSteps));
}

std::int64_t SaturationSearch::most_points() const {
  return 1 + (climb_steps() + 1) + kMostHalvings + 1;
}

double SaturationSearch::climb_load() const {
  return std::fmin(rounded_load(axis_.from + static_cast<double>(climbed_) * axis_.step), axis_.to);
}

std::optional<SaturationSearch::Question> SaturationSearch::next() const {
  switch (phase_) {
    case Phase::zero_load:
      return Question{index_, axis_.zero_load, true};
    case Phase::climb:
      return Question{index_, climb_load(), true};
    case Phase::halve:
      return Question{index_, rounded_load((good_ + bad_) / 2), true};
    case Phase::throughput:
      return Question{index_, rounded_load(std::fmin(kBeyond * good_, largest_load_)), false};
    case Phase::finished:
      break;
  }
  return std::nullopt;
}

void SaturationSearch::stop(SaturationStatus status, std::string why) {
  result_.status = status;
  result_.message = std::move(why);
  phase_ = Phase::finished;
}

void SaturationSearch::halve_or_finish() {
  const bool fine = bad_ - good_ <= kPrecision * bad_;
  const double middle = rounded_load((good_ + bad_) / 2);
  if (!fine && middle > good_ && middle < bad_) {
    phase_ = Phase::halve;
    return;
  }
  result_.load = good_;
  result_.load_point = good_index_;
  phase_ = Phase::throughput;
}

void SaturationSearch::judge(double load, bool saturated) {
  if (saturated) {
    bad_ = load;
    halve_or_finish();
    return;
  }
  good_ = load;
  good_index_ = index_;
  if (phase_ == Phase::halve) {
    halve_or_finish();
  } else if (climbed_ < climb_steps()) {
    ++climbed_;
  } else {
    stop(SaturationStatus::not_reached,
         formatted("not saturated at load %1%, %2%", load,
                   load < largest_load_ ? "the highest of the axis" : "the most that a node can inject"));
  }
}

void SaturationSearch::answer(PointStatus status, const std::map<std::string, double>& metrics) {
  const double load = next()->load;
  const auto metric = [&](const char* name) {
    const auto found = metrics.find(name);
    return found == metrics.end() ? std::nullopt : std::optional(found->second);
  };
  const auto offered = metric(kSearchMetrics[0]), accepted = metric(kSearchMetrics[1]),
             latency = metric(kSearchMetrics[2]);
  // A limit that ends a run beyond saturation early does not hide that it is saturated.
  const bool ran = status == PointStatus::done || status == PointStatus::unfinished;
  if (!ran || !offered || !accepted || !latency) {
    stop(SaturationStatus::stopped, formatted("the run at load %1% gives no result: %2%", load,
                                              ran ? "no message was measured" : to_word(status)));
    return;
  }
  const bool too_little = *accepted < kAcceptedShare * *offered;
  const bool too_late = result_.zero_load_latency && *latency > kLatencyFactor * *result_.zero_load_latency;
  if (status == PointStatus::unfinished && !too_little && !too_late && phase_ != Phase::throughput) {
    stop(SaturationStatus::stopped,
         formatted("the run at load %1% is unfinished and not saturated so far", load));
    return;
  }
  switch (phase_) {
    case Phase::zero_load:
      if (too_little) {
        stop(SaturationStatus::at_start, formatted("saturated at load %1%, the lowest of the axis", load));
        break;
      }
      result_.zero_load_latency = latency;
      result_.zero_load_point = index_;
      good_ = load;
      good_index_ = index_;
      phase_ = Phase::climb;
      break;
    case Phase::climb:
    case Phase::halve:
      judge(load, too_little || too_late);
      break;
    case Phase::throughput:
      result_.throughput = accepted;
      result_.throughput_point = index_;
      stop(SaturationStatus::found, "");
      break;
    case Phase::finished:
      break;
  }
  ++index_;
}

}  // namespace flitmend
