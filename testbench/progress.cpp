// SPDX-License-Identifier: Apache-2.0
#include "testbench/progress.h"

#include <cmath>

#include "base/text.h"

namespace flitmend {
namespace {

std::string rate_text(double rate) {
  if (rate >= 1e6) return formatted("%.2f Mcycles/s", rate / 1e6);
  if (rate >= 1e3) return formatted("%.1f kcycles/s", rate / 1e3);
  return formatted("%.0f cycles/s", rate);
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kLongest = 1e9;
  const auto whole = static_cast<long>(std::ceil(std::fmin(seconds, kLongest)));
  if (whole >= 3600) return formatted("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  return formatted("%d:%02d", whole / 60, whole % 60);
}

std::string progress_text(const Progress& p, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(p.cycle) / seconds : 0;
  if (p.cycle >= p.last)
    return formatted("%d cycles, %s, %d messages in flight", p.cycle, rate_text(rate), p.in_flight);
  const auto left = static_cast<double>(p.last - p.cycle);
  std::string text = formatted(
      "%d %%, %s", static_cast<int>(100 * (static_cast<double>(p.cycle) / static_cast<double>(p.last))),
      rate_text(rate));
  if (rate > 0) text += ", " + duration_text(left / rate) + " left";
  return text;
}

}  // namespace flitmend
