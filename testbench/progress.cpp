// SPDX-License-Identifier: Apache-2.0
#include "testbench/progress.h"

#include <boost/format.hpp>
#include <cmath>

namespace flitmend {
namespace {

std::string rate_text(double rate) {
  if (rate >= 1e6) return (boost::format("%.2f Mcycles/s") % (rate / 1e6)).str();
  if (rate >= 1e3) return (boost::format("%.1f kcycles/s") % (rate / 1e3)).str();
  return (boost::format("%.0f cycles/s") % rate).str();
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kLongest = 1e9;
  const auto whole = static_cast<long>(std::ceil(std::fmin(seconds, kLongest)));
  if (whole >= 3600)
    return (boost::format("%d:%02d:%02d") % (whole / 3600) % (whole / 60 % 60) % (whole % 60)).str();
  return (boost::format("%d:%02d") % (whole / 60) % (whole % 60)).str();
}

std::string progress_text(const Progress& p, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(p.cycle) / seconds : 0;
  if (p.cycle >= p.last)
    return (boost::format("%d cycles, %s, %d messages in flight") % p.cycle % rate_text(rate) % p.in_flight)
        .str();
  const auto left = static_cast<double>(p.last - p.cycle);
  std::string text =
      (boost::format("%d %%, %s") %
       static_cast<int>(100 * (static_cast<double>(p.cycle) / static_cast<double>(p.last))) % rate_text(rate))
          .str();
  if (rate > 0) text += ", " + duration_text(left / rate) + " left";
  return text;
}

}  // namespace flitmend
